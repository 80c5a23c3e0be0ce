'use strict';

const $ = (id) => document.getElementById(id);
/** The end that is counted down, and when the page looks by itself. */
let counted = null;
let countedAs = (left) => left;
let due = null;
/** Whether the secret was there when it was last looked for. */
let seen = false;
/** Whether the page has waited already, having asked too often: it does so once. */
let waited = false;
/** Answers to an earlier turn than this are not shown any more. */
let turn = 0;

/** Everything behind the #, which browsers send to no one; what cannot be read of it names no secret. */
function link() {
  try {
    const [team = '', key = ''] = decodeURIComponent(location.hash.slice(1)).split('/');
    return {team, key};
  } catch {
    return {team: '', key: ''};
  }
}

function only(id) {
  for (const part of ['once', 'reveal', 'again', 'shown', 'gone']) {
    $(part).hidden = part !== id && !(part === 'once' && id === 'reveal');
  }
}

function tellState(text, until, as) {
  const left = document.createElement('span');
  left.id = 'left';
  // A live region that changes each second would never be silent.
  left.setAttribute('aria-hidden', 'true');
  $('state').replaceChildren(`${text} `, left);
  counted = until;
  countedAs = as;
  tick();
}

function waits(expiresAt) {
  seen = true;
  waited = false;
  tellState(`A secret waits for you until ${app.time(expiresAt)}.`, expiresAt, (left) => `(${left} left)`);
  // Whether it is over is for the server to say; not many times where the reader's clock is a little ahead of it.
  due = Date.parse(expiresAt) + 1500;
  only('reveal');
}

function gone() {
  due = null;
  tellState('This secret is not known any more.');
  only('gone');
}

function show(value) {
  due = null;
  tellState('You have read it, and it is gone from here.');
  $('secret').textContent = value;
  only('shown');
}

/** Nothing of one link, least of all its secret, is left for who sees the page of another, or comes back to this one. */
function forget() {
  turn++;
  seen = false;
  waited = false;
  due = null;
  tellState('');
  for (const id of ['secret', 'copied', 'problem']) {
    $(id).textContent = '';
  }
  only('');
}

function tellProblem(failure) {
  const wait = failure.wait ? ` Wait about ${failure.wait} s.` : '';
  $('problem').textContent = failure.message + wait;
}

/** Says what holds meanwhile, and looks when the wait is over, if there is one to wait for. */
function putOff(failure, state) {
  const until = failure.wait && !waited ? app.now() + failure.wait * 1000 : null;
  tellState(until ? `${state} This page looks again by itself` : state, until, (left) => `in ${left}.`);
  due = until;
  waited = waited || due !== null;
}

/** A problem that is told already stays, whatever comes out. */
async function look(told) {
  const mine = ++turn;
  due = null;
  $('problem').textContent = '';
  if (told) {
    tellProblem(told);
  }
  try {
    const {expiresAt} = await app.post('/page/look', link());
    if (mine === turn) {
      waits(expiresAt);
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
      ? 'Whether the secret still waits is not known.'
      : failure.status === 429 || failure.lost
        ? 'The secret has not been looked up yet, and nothing is used up.'
        : 'The secret cannot be shown now.');
    only(seen ? 'reveal' : due ? '' : 'again');
  }
}

/** A button that was pressed loses the focus when it is disabled or goes. */
function focusOutcome() {
  const outcome = ['shown-title', 'gone-title', 'reveal', 'again'].map($).find((part) => part.offsetParent);
  if (outcome) {
    outcome.focus();
  }
}

/** What did not come may have been read all the same: the server is asked, unless it has just said that it did nothing. */
async function unread(failure) {
  if (failure.status === 404) {
    gone();
  } else if (failure.status === 429) {
    waited = false;
    tellProblem(failure);
    putOff(failure, 'The secret has not been revealed, and nothing is used up.');
  } else {
    if (failure.lost) {
      failure.message += ' If the secret is not known any more, ask its sender for another one.';
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
  let failure = null;
  try {
    ({value} = await app.post('/page/reveal', link()));
  } catch (thrown) {
    failure = thrown;
  }
  $('reveal').disabled = false;
  if (hash !== location.hash) {
    if (!failure) {
      $('problem').textContent = 'The secret of the link before this one was read as you left it. It is not shown any more.';
    }
    return;
  }
  turn++;
  if (failure) {
    await unread(failure);
  } else {
    show(value);
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
look();
$('needs-script').remove();
