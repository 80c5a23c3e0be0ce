'use strict';

const $ = (id) => document.getElementById(id);
// Fails if the shared script is missing: then the page stays as the server has rendered it.
const {post} = app;
/** The time that is counted down, its format, and when the page looks up the secret by itself. */
let counted = null;
let countedAs = (left) => left;
let due = null;
/** Whether the last lookup found the secret. */
let seen = false;
/** Whether it takes a passphrase. */
let locked = false;
/** Whether the page has already waited after too many requests. It does so once. */
let waited = false;
/** Answers to earlier turns are ignored. */
let turn = 0;

/**
 * Parses the part after the #, which browsers do not send. Who copies a link from a text may take a full stop with it.
 * A part that cannot be parsed names no secret.
 */
function link() {
  let part = '';
  try {
    part = decodeURIComponent(location.hash.slice(1));
  } catch {
    // Not encoded as an address is.
  }
  const [, team = '', key = '', seal = ''] =
    part.match(/^([a-zA-Z0-9-]{1,64})\/([\w-]{24})(?:\/([\w-]{48}))?[^\w-]*$/) || [];
  return {team, key, seal};
}

function only(id) {
  for (const part of ['once', 'reveal', 'again', 'shown', 'gone']) {
    $(part).hidden = part !== id && !(part === 'once' && id === 'reveal');
  }
  $('locked').hidden = id !== 'reveal' || !locked;
}

function tellState(text, until, as) {
  const left = document.createElement('span');
  left.id = 'left';
  // Hidden from screen readers, which would otherwise speak every second.
  left.setAttribute('aria-hidden', 'true');
  $('state').replaceChildren(`${text} `, left);
  counted = until;
  countedAs = as;
  tick();
}

/** Names the secret to the server, without the key that opens it. */
function named(more) {
  const {team, key} = link();
  return {team, key, ...more};
}

async function waits({expiresAt, views, needsPassphrase, sealed}) {
  // With a wrong end it would be used up, and could not be read.
  if (sealed && !await sealing.isWhole(link().seal)) {
    gone();
    return;
  }
  seen = true;
  waited = false;
  locked = needsPassphrase;
  $('once').textContent = views > 1
    ? `It can be revealed ${views} times, by whoever has the link.`
    : 'You can reveal it only once. Be ready to keep it.';
  tellState(`A secret is waiting for you. It expires at ${app.time(expiresAt)}.`, expiresAt, (left) => `(${left} left)`);
  // The server decides whether it has expired. The delay avoids repeated lookups if the reader's clock is slightly ahead.
  due = Date.parse(expiresAt) + 1500;
  only('reveal');
}

function gone() {
  due = null;
  tellState('This secret is no longer available.');
  only('gone');
}

function show(value, views) {
  due = null;
  tellState(views
    ? `You have read it. It can be read ${views} more ${views === 1 ? 'time' : 'times'}.`
    : 'You have read it, and it is gone from the server.');
  $('kept').textContent = `${views ? '' : 'Nobody can read it again, not even you. '}Keep it now if you need it.`;
  $('passphrase').value = '';
  $('secret').textContent = value;
  only('shown');
}

/** Clears the page, so that nothing of this link is visible with another link, or after coming back. */
function forget() {
  turn++;
  seen = false;
  waited = false;
  due = null;
  tellState('');
  for (const id of ['secret', 'copied', 'problem']) {
    $(id).textContent = '';
  }
  $('passphrase').value = '';
  only('');
}

function tellProblem(failure) {
  const wait = failure.wait ? ` Wait about ${failure.wait} s.` : '';
  $('problem').textContent = failure.message + wait;
}

/** Shows the current state. If there is a time to wait, looks up the secret again after it. */
function putOff(failure, state) {
  const until = failure.wait && !waited ? app.now() + failure.wait * 1000 : null;
  tellState(until ? `${state} This page tries again` : state, until, (left) => `in ${left}.`);
  due = until;
  waited = waited || due !== null;
}

/** Looks up the secret. A problem that is passed in stays visible, whatever the result. */
async function look(told) {
  const mine = ++turn;
  due = null;
  $('problem').textContent = '';
  if (told) {
    tellProblem(told);
  } else if (!seen) {
    tellState('Looking up the secret …');
    only('');
  }
  try {
    const waiting = await post('/page/look', named());
    if (mine === turn) {
      await waits(waiting);
    }
  } catch (failure) {
    if (mine !== turn) {
      return;
    }
    if (failure.status === 404) {
      gone();
      return;
    }
    if (!told) {
      tellProblem(failure);
    }
    putOff(failure, seen
      ? 'It is unknown whether the secret is still available.'
      : failure.status === 429 || failure.lost
        ? 'The secret has not been looked up yet, and nothing is used up.'
        : 'The secret cannot be shown now.');
    only(seen ? 'reveal' : due ? '' : 'again');
  }
}

/** Decrypts what the sender's browser has encrypted. */
async function open(value) {
  try {
    return await sealing.open(value, link().seal);
  } catch {
    throw new Error('The secret cannot be decrypted, because the end of the link was changed. Ask its sender for a new one.');
  }
}

/** Moves the focus to the result, because a button loses it when it is disabled or hidden. */
function focusOutcome() {
  const outcome = ['shown-title', 'gone-title', 'reveal', 'again'].map($).find((part) => part.offsetParent);
  if (outcome) {
    outcome.focus();
  }
}

/** Handles a failed reveal. The secret may have been read anyway, so the page looks it up, unless the server refused. */
async function unread(failure) {
  if (failure.status === 404) {
    gone();
  } else if (failure.status === 422) {
    tellProblem(failure);
    due = Date.parse(counted) + 1500;
    $('passphrase').select();
  } else if (failure.status === 429) {
    waited = false;
    tellProblem(failure);
    putOff(failure, 'The secret was not revealed, and nothing is used up.');
  } else {
    if (failure.lost) {
      failure.message += ' If the secret is no longer available, ask its sender for a new one.';
    }
    await look(failure);
  }
}

$('reveal').addEventListener('click', async () => {
  const {hash} = location;
  turn++;
  due = null;
  $('problem').textContent = '';
  $('reveal').disabled = true;
  let value = null;
  let revealed = null;
  let failure = null;
  try {
    revealed = await post('/page/reveal', named({passphrase: $('passphrase').value}));
    value = revealed.sealed ? await open(revealed.value) : revealed.value;
  } catch (thrown) {
    failure = thrown;
  }
  $('reveal').disabled = false;
  if (hash !== location.hash) {
    if (!failure) {
      $('problem').textContent = 'The secret of the previous link was read when you left it. It is no longer shown.';
    }
    return;
  }
  turn++;
  if (failure) {
    await unread(failure);
    if (failure.status === 422) {
      return; // the focus is in the field
    }
  } else {
    show(value, revealed.views);
  }
  focusOutcome();
});

function tick() {
  if ($('left')) {
    const left = counted ? app.left(counted) : '';
    $('left').textContent = left ? countedAs(left) : '';
  }
  if (due && app.now() >= due) {
    look();
  }
}

$('passphrase').addEventListener('keydown', (event) => event.key === 'Enter' && $('reveal').click());
$('again').addEventListener('click', async () => {
  waited = false;
  await look();
  focusOutcome();
});
$('copy').addEventListener('click', () => app.copy($('secret').textContent, $('copied'), $('secret')));
addEventListener('hashchange', () => {
  forget();
  look();
});
addEventListener('pagehide', forget);
addEventListener('pageshow', (event) => {
  if (event.persisted) {
    look();
  }
});
setInterval(tick, 1000);
$('state').classList.remove('early');
if ($('pasted').value) { // whoever has begun to paste the link may go on
  document.querySelector('.reveal').append($('by-hand'));
  document.querySelector('#by-hand .note').textContent = 'You can go on here with the link that you have pasted.';
} else {
  $('by-hand').remove();
}
look();
