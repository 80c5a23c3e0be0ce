'use strict';

const $ = (id) => document.getElementById(id);
let waiting = null;

/** Everything behind the #, which browsers send to no one. */
function link() {
  const [team = '', key = ''] = decodeURIComponent(location.hash.slice(1)).split('/');
  return {team, key};
}

function only(id) {
  for (const part of ['once', 'reveal', 'shown', 'gone']) {
    $(part).hidden = part !== id && !(part === 'once' && id === 'reveal');
  }
}

function gone() {
  waiting = null;
  $('state').textContent = 'This secret is not known any more.';
  only('gone');
}

function fail(failure) {
  if (failure.status === 404) {
    gone();
  } else {
    $('problem').textContent = failure.message;
    // The one time that it could be read may be over.
    if (failure.lost) {
      $('problem').textContent += ' If the secret is not known any more, ask its sender for another one.';
    }
  }
}

function tick() {
  if (waiting) {
    const left = app.left(waiting);
    if (!left) {
      // Whether it is over is for the server to say; not many times where the reader's clock is a little ahead of it.
      waiting = null;
      setTimeout(look, 1500);
    } else if ($('left')) {
      $('left').textContent = `(${left} left)`;
    }
  }
}

async function look() {
  $('problem').textContent = '';
  try {
    waiting = (await app.post('/page/look', link())).expiresAt;
    const left = document.createElement('span');
    left.id = 'left';
    // A live region that changes each second would never be silent.
    left.setAttribute('aria-hidden', 'true');
    $('state').replaceChildren(`A secret waits for you until ${app.time(waiting)}. `, left);
    only('reveal');
    tick();
  } catch (failure) {
    fail(failure);
  }
}

$('reveal').addEventListener('click', async () => {
  $('problem').textContent = '';
  $('reveal').disabled = true;
  try {
    const {value} = await app.post('/page/reveal', link());
    waiting = null;
    $('secret').textContent = value;
    $('state').textContent = 'You have read it, and it is gone from here.';
    only('shown');
    $('shown-title').focus();
  } catch (failure) {
    fail(failure);
    if (!$('gone').hidden) {
      $('gone-title').focus();
    }
  } finally {
    $('reveal').disabled = false;
  }
});

$('copy').addEventListener('click', () => app.copy($('secret').textContent, $('copied'), $('secret')));
addEventListener('hashchange', look);
setInterval(tick, 1000);
look();
