'use strict';

const $ = (id) => document.getElementById(id);
// Fails if the shared script is missing: then the browser sends the form, and the server answers it with a page.
const {post} = app;
const lengths = {PT5M: 300, PT1H: 3600, PT8H: 28800, P1D: 86400, P7D: 604800, P30D: 2592000};
const templates = $('sent-template').content;
/** The secret whose link is shown, while it can be read. */
let created = null;
/** The id of the secret whose link is shown, or was shown until it could not be read any more. Empty beside the form. */
let linkedId = '';
let sent = [];
const GONE = 'It is no longer available: it was read, has expired, or was deleted.';
/** The team of the list. The field may have changed since. */
let sentTeam = '';
let asked = 0;

/** What only this browser knows of the secrets: their labels, and the ends of their links. */
const own = {
  all() {
    try {
      return Object.fromEntries(Object.entries(JSON.parse(localStorage.getItem('sent-secrets')))
        .filter(([, known]) => known && app.left(known.until)));
    } catch { // the browser keeps nothing, or somebody else has changed it
      return {};
    }
  },
  save(all) {
    try {
      localStorage.setItem('sent-secrets', JSON.stringify(all));
    } catch {
      $('sent-status').textContent = 'This browser keeps no labels.';
    }
  },
  note(id, known) {
    const all = own.all();
    own.save({...all, [id]: {...all[id], ...known}});
  },
  forget(id) {
    const {[id]: gone, ...others} = own.all();
    own.save(others);
  },
};

function tellProblem(failure, place = 'problem') {
  $(place).textContent = failure ? failure.message : '';
  if (failure) {
    $(place).scrollIntoView({block: 'nearest'});
  }
}

const tellSentProblem = (failure) => tellProblem(failure, 'sent-problem');

function tellEnd() {
  $('ends').value = app.time(app.now() + lengths[$('ttl').value] * 1000);
}

function tick() {
  tellEnd();
  if (created) {
    const left = app.left(created.expiresAt);
    $('countdown').textContent = left ? `Expires in ${left}, at ${app.time(created.expiresAt)}.` : 'It has expired.';
  }
  const before = sent.length;
  sent = sent.filter((secret) => app.left(secret.expiresAt));
  if (sent.length < before) {
    $('sent-status').textContent = 'One of your secrets has expired unread.';
    show();
  }
  for (const item of $('sent').children) {
    item.querySelector('.left').textContent = `, in ${app.left(item.querySelector('.ends').dateTime)}`;
  }
}

function tellTime(time, iso) {
  time.dateTime = iso;
  time.textContent = app.time(iso);
}

/** Offers only extensions that the server permits: a secret lives no longer than its sender could have chosen at first. */
function offer(item, {createdAt, expiresAt}) {
  const by = item.querySelector('.by');
  const most = Date.parse(createdAt) + Number($('sent').dataset.longest) - Date.parse(expiresAt);
  for (const option of by.options) {
    option.hidden = option.disabled = lengths[option.value] * 1000 > most;
  }
  if (by.selectedOptions[0]?.disabled !== false) {
    by.value = [...by.options].filter((option) => !option.disabled).pop()?.value ?? '';
  }
  item.querySelector('.group').hidden = !by.value;
}

/** Fills in an item. Its buttons have names of their own, for readers who hear them one by one. */
function describe(item, secret, {label, end} = {}) {
  item.dataset.id = secret.id;
  item.querySelector('.label').textContent = label || 'Secret';
  item.querySelector('.end').textContent = end ? `…${end}` : '';
  tellTime(item.querySelector('.starts'), secret.createdAt);
  tellTime(item.querySelector('.ends'), secret.expiresAt);
  offer(item, secret);
  const created = `created ${app.time(secret.createdAt, '2-digit')}`;
  const name = [label ? `“${label}”` : 'the secret', end ? `with a link that ends in ${end}` : created].join(' ');
  item.dataset.name = name;
  item.querySelector('.by').setAttribute('aria-label', `Time to add to ${name}`);
  for (const button of item.querySelectorAll('button')) {
    button.setAttribute('aria-label', `${button.textContent}: ${name}`);
  }
}

/** Does not move items that stay, not even to the same place, so that they keep the focus. */
function show() {
  const items = new Map([...$('sent').children].map((item) => [item.dataset.id, item]));
  const focused = $('sent').contains(document.activeElement);
  const ids = new Set(sent.map((secret) => secret.id));
  const known = own.all();
  items.forEach((item, id) => ids.has(id) || item.remove());
  let next = $('sent').firstElementChild;
  for (const secret of sent) {
    const item = items.get(secret.id) || templates.firstElementChild.cloneNode(true);
    if (item === next) {
      next = next.nextElementSibling;
    } else {
      $('sent').insertBefore(item, next);
    }
    describe(item, secret, known[secret.id]);
  }
  if (focused && !$('sent').contains(document.activeElement)) {
    $('sent-title').tabIndex = -1;
    $('sent-title').focus();
  }
  $('sent-none').hidden = sent.length > 0;
  $('sent-team').textContent = sentTeam;
}

async function load() {
  if (!$('team').validity.valid) {
    return;
  }
  const turn = ++asked;
  const team = $('team').value;
  const {secrets, more} = await post('/page/sent', {team});
  // An older answer may arrive after a newer one, and lack a secret that was created meanwhile.
  if (turn !== asked) {
    return;
  }
  sent = secrets;
  sentTeam = team;
  if (created && created.team === team) {
    const listed = sent.find((secret) => secret.id === created.id);
    // A secret that is older than all listed ones may still be unread.
    const older = more && new Date(created.createdAt) < new Date(sent[sent.length - 1].createdAt);
    created = listed || older ? {...created, ...listed} : null;
    if (!created) {
      end(GONE);
    }
  }
  $('sent-more').hidden = !more;
  $('sent-more').textContent = `Only the newest ${sent.length} are shown.`;
  show();
  tick();
}

async function act(item, action, more, told) {
  tellSentProblem();
  try {
    const {expiresAt} = await post(`/page/${action}`, {team: sentTeam, id: item.dataset.id, ...more});
    if (expiresAt) {
      own.note(item.dataset.id, {until: expiresAt});
    } else {
      own.forget(item.dataset.id);
      // A list that arrived before this answer has ended the link too, but could not say why.
      if (linkedId === item.dataset.id) {
        end('You deleted it.');
      }
    }
    $('sent-status').textContent = told;
  } catch (failure) {
    tellSentProblem(
      failure.status === 404 ? new Error(GONE) : failure);
  }
  await load().catch(tellSentProblem);
}

/** Takes away a link that no longer works. */
function end(reason) {
  const focused = $('linked').contains(document.activeElement);
  created = null;
  $('link').value = '';
  $('linked').hidden = true;
  $('created-title').textContent = 'Your link no longer works';
  $('copied').textContent = '';
  $('countdown').textContent = reason;
  if (focused) {
    $('created-title').focus();
  }
}

/** Has a reload, and the links to other pages, stay with the team of the secret that was sent. */
function nameTeam(team) {
  history.replaceState(null, '', `/?team=${team}`);
  for (const link of document.querySelectorAll('.top a[href^="/?"]')) {
    link.href = `/?team=${team}`;
  }
  const page = document.querySelector('.top a[href^="/teams/"]');
  page.href = `/teams/${team}`;
  page.textContent = `Team ${team}`;
}

/** Shows either the form or the link, so that no old link stands beside a new problem. */
function compose(composing) {
  $('compose').hidden = !composing;
  $('created').hidden = composing;
  $('linked').hidden = false;
  $('created-title').textContent = 'Your link is ready';
  if (composing) {
    created = null;
    linkedId = '';
    $('link').value = '';
    $('copied').textContent = '';
  }
}

function askForNewTeam(needed) {
  $('new-team').hidden = !needed;
  $('create-team').checked = false;
}

async function create(event) {
  event.preventDefault();
  tellProblem();
  $('create').disabled = true;
  try {
    const team = $('team').value;
    const sealed = sealing.possible ? await sealing.seal($('value').value) : null;
    created = {team, ...await post('/page/secrets', {
      team,
      value: sealed ? sealed.value : $('value').value,
      sealed: Boolean(sealed),
      ttl: $('ttl').value,
      newTeam: $('create-team').checked,
      passphrase: $('passphrase').value,
      views: Number($('views').value),
    })};
    const part = [team, created.key, ...sealed ? [sealed.key] : []].join('/');
    linkedId = created.id;
    own.note(linkedId, {label: $('label').value, end: part.slice(-4), until: created.expiresAt});
    for (const id of ['value', 'passphrase', 'label']) {
      $(id).value = '';
    }
    $('views').value = '1';
    askForNewTeam(false);
    $('link').value = `${location.origin}/reveal#${part}`;
    compose(false);
    nameTeam(team);
    $('created-title').focus();
    await load().catch(tellSentProblem);
  } catch (failure) {
    if (failure.lost) {
      failure.message += ' If the secret appears below, delete it and create another, because its link is lost.';
      await load().catch(() => {}); // the page shows the failure below
    }
    if (failure.status === 409) {
      askForNewTeam(true);
    }
    tellProblem(failure);
  } finally {
    $('create').disabled = false;
    // A disabled button loses the focus.
    if (document.activeElement === document.body) {
      (failedForTeam() ? $('create-team') : $('create')).focus();
    }
  }
}

const failedForTeam = () => !$('new-team').hidden;

$('sent').addEventListener('click', (event) => {
  const item = event.target.closest('li');
  if (event.target.matches('.extend')) {
    act(item, 'extend', {by: item.querySelector('.by').value}, 'Its expiry was extended.');
  } else if (event.target.matches('.delete')
      && confirm(`Delete ${item.dataset.name}? Nobody can read it then, and its link stops working.`)) {
    act(item, 'delete', {}, 'It was deleted.');
  }
});

// The browser reports invalid fields itself. An old problem beside that would look like the reason.
$('compose').addEventListener('invalid', () => tellProblem(), true);
$('compose').addEventListener('input', () => tellProblem());
$('another').addEventListener('click', () => {
  compose(true);
  $('value').focus();
});
$('copy').addEventListener('click', () => app.copy($('link').value, $('copied'), $('link')));
$('ttl').addEventListener('change', tellEnd);
$('team').addEventListener('input', () => askForNewTeam(false));
$('team').addEventListener('change', () => load().catch(tellSentProblem));
// Removes secrets that were read meanwhile.
addEventListener('focus', () => load().catch(() => {}));
setInterval(() => document.hidden || load().catch(() => {}), 15000);
setInterval(tick, 1000);
tick();
$('labelled').hidden = false;
$('cipher').textContent = sealing.possible
  ? 'It is encrypted in this browser. The server never sees it.'
  : 'The server encrypts it before it is stored. With https, your browser would.';
$('ends-at').hidden = false;
$('sent-none').hidden = false;
$('sent-needs-script').remove();
load().catch(tellSentProblem);
// Last: if this script fails earlier, the browser sends the form, and the server answers it with a page.
$('compose').addEventListener('submit', create);
