'use strict';

const $ = (id) => document.getElementById(id);
const lengths = {PT5M: 300, PT1H: 3600, PT8H: 28800, P1D: 86400, P7D: 604800, P30D: 2592000};
const templates = $('sent-template').content;
let created = null;
let sent = [];
/** The team of the list. The field may have changed since. */
let sentTeam = '';
let asked = 0;

function tellProblem(failure) {
  $('problem').textContent = failure ? failure.message : '';
  if (failure) {
    $('problem').scrollIntoView({block: 'nearest'});
  }
}

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

/** Does not move items that stay, not even to the same place, so that they keep the focus. */
function show() {
  const items = new Map([...$('sent').children].map((item) => [item.dataset.id, item]));
  const focused = $('sent').contains(document.activeElement);
  const ids = new Set(sent.map((secret) => secret.id));
  items.forEach((item, id) => ids.has(id) || item.remove());
  let next = $('sent').firstElementChild;
  for (const secret of sent) {
    const item = items.get(secret.id) || templates.firstElementChild.cloneNode(true);
    if (item === next) {
      next = next.nextElementSibling;
    } else {
      $('sent').insertBefore(item, next);
    }
    item.dataset.id = secret.id;
    const ends = item.querySelector('.ends');
    ends.dateTime = secret.expiresAt;
    ends.textContent = app.time(secret.expiresAt);
    const name = `the secret that expires ${ends.textContent}`;
    item.querySelector('.by').setAttribute('aria-label', `Time to add to ${name}`);
    for (const button of item.querySelectorAll('button')) {
      button.setAttribute('aria-label', `${button.textContent}: ${name}`);
    }
  }
  if (focused && !$('sent').contains(document.activeElement)) {
    $('sent-title').tabIndex = -1;
    $('sent-title').focus();
  }
  $('sent-none').hidden = sent.length > 0;
}

async function load() {
  if (!$('team').validity.valid) {
    return;
  }
  const turn = ++asked;
  const team = $('team').value;
  const {secrets, more} = await app.post('/page/sent', {team});
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
    $('countdown').textContent = created ? '' : 'It is no longer available: it was read or has expired.';
  }
  $('sent-more').hidden = !more;
  $('sent-more').textContent = `Only the newest ${sent.length} are shown.`;
  show();
  tick();
}

async function act(item, action, more, told) {
  tellProblem();
  try {
    await app.post(`/page/${action}`, {team: sentTeam, id: item.dataset.id, ...more});
    $('sent-status').textContent = told;
  } catch (failure) {
    tellProblem(failure.status === 404 ? new Error('It is no longer available: it was read or has expired.') : failure);
  }
  await load().catch(tellProblem);
}

$('sent').addEventListener('click', (event) => {
  const item = event.target.closest('li');
  if (event.target.matches('.extend')) {
    act(item, 'extend', {by: item.querySelector('.by').value}, 'Its expiry was extended.');
  } else if (event.target.matches('.expire')) {
    act(item, 'expire', {}, 'It has expired.');
  } else if (event.target.matches('.delete')) {
    act(item, 'delete', {}, 'It was deleted.');
  }
});

$('compose').addEventListener('submit', async (event) => {
  event.preventDefault();
  tellProblem();
  $('create').disabled = true;
  try {
    const team = $('team').value;
    created = {team, ...await app.post('/page/secrets', {team, value: $('value').value, ttl: $('ttl').value})};
    $('value').value = '';
    $('link').value = `${location.origin}/reveal#${team}/${created.key}`;
    $('copied').textContent = '';
    $('created').hidden = false;
    $('created-title').focus();
    await load().catch(tellProblem);
  } catch (failure) {
    if (failure.lost) {
      failure.message += ' If the secret appears below, delete it and create another, because its link is lost.';
      await load().catch(() => {});
    }
    tellProblem(failure);
  } finally {
    $('create').disabled = false;
    // A disabled button loses the focus.
    if (document.activeElement === document.body) {
      $('create').focus();
    }
  }
});

// The browser reports invalid fields itself. An old problem beside that would look like the reason.
$('compose').addEventListener('invalid', () => tellProblem(), true);
$('compose').addEventListener('input', () => tellProblem());
$('copy').addEventListener('click', () => app.copy($('link').value, $('copied'), $('link')));
$('ttl').addEventListener('change', tellEnd);
$('team').addEventListener('change', () => load().catch(tellProblem));
// Removes secrets that were read meanwhile.
addEventListener('focus', () => load().catch(() => {}));
setInterval(() => document.hidden || load().catch(() => {}), 15000);
setInterval(tick, 1000);
tick();
load().catch(tellProblem);
// Last, so that the form stays disabled if this script fails earlier.
$('create').disabled = false;
$('needs-script').remove();
