'use strict';

const $ = (id) => document.getElementById(id);
const page = $('team-page');
// Fails if the shared script is missing: then the page stays as the server has rendered it.
const {time: readable} = app;
const path = `/teams/${page.dataset.team}`;
const shown = 50;
let missed = false;
let last = page.dataset.last;
let refresh = null;
let asked = 0;
let events = null;

function tellConnection(state, text) {
  $('connection').dataset.state = missed && state === 'live' ? 'missed' : state;
  $('connection').textContent = missed ? `${text}, some events missed` : text;
}

/** Reloads the part that the server renders: soon after an event, and regularly as time passes. */
function overview() {
  refresh = refresh || setTimeout(async () => {
    refresh = null;
    const turn = ++asked;
    const response = await fetch(`${path}/overview?range=${page.dataset.range}`).catch(() => null);
    const drawn = response && response.ok ? await response.text() : null;
    // An older answer may arrive after a newer one.
    if (drawn !== null && turn === asked) {
      $('overview').innerHTML = drawn;
    }
  }, 300);
}

function tell(event) {
  const told = JSON.parse(event.data);
  last = event.lastEventId;
  const item = document.createElement('li');
  const what = document.createElement('span');
  const time = document.createElement('time');
  item.className = `${told.kind} new`;
  what.className = 'what';
  what.textContent = told.text;
  time.dateTime = told.at;
  time.textContent = readable(told.at, '2-digit');
  item.append(what, ' ', time);
  $('activity').prepend(item);
  while ($('activity').children.length > shown) {
    $('activity').lastElementChild.remove();
  }
  $('quiet').hidden = true;
  overview();
}

/** Opens the stream, unless the page is hidden: a browser has six connections for all its pages of this site. */
function connect() {
  if (events || document.hidden) {
    return;
  }
  const stream = new EventSource(`${path}/events?after=${last}`);
  events = stream;
  stream.addEventListener('open', () => tellConnection('live', 'live'));
  stream.addEventListener('activity', tell);
  stream.addEventListener('missed', () => {
    missed = true;
    tellConnection('live', 'live');
    overview();
  });
  stream.addEventListener('error', () => {
    tellConnection('waiting', 'reconnecting');
    // A browser gives up when the server refuses; this page tries again.
    if (stream.readyState === EventSource.CLOSED) {
      events = null;
      setTimeout(connect, 10000);
    }
  });
}

/** The stream of a page that is shown again begins with the events that it has missed. */
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) {
    connect();
    overview();
  } else if (events) {
    events.close();
    events = null;
    tellConnection('waiting', 'paused');
  }
});

tellConnection('waiting', 'connecting');
setInterval(() => document.hidden || overview(), 30000);
connect();
