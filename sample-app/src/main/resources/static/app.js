'use strict';

/** What the pages share: requests, and times in the reader's zone. */
const app = {
  token: document.querySelector('meta[name=csrf]').content,

  /** Posts JSON; answers the JSON that comes back, or throws an Error that says what to tell the reader. */
  async post(path, body, again) {
    let response;
    try {
      response = await fetch(path, {
        method: 'POST',
        headers: {'Content-Type': 'application/json', 'X-XSRF-TOKEN': app.token},
        body: JSON.stringify(body),
      });
    } catch {
      throw app.lost();
    }
    app.setClock(response.headers.get('Date'));
    if (response.ok) {
      const text = await response.text().catch(() => null);
      try {
        return text === '' ? {} : JSON.parse(text || '-');
      } catch {
        throw app.lost();
      }
    }
    const answer = await response.json().catch(() => null) || {};
    if (response.status === 403 && !again) {
      await app.renew();
      return app.post(path, body, true);
    }
    if (response.status === 403) {
      throw new Error('This page has been open for too long. Copy what you need, then load it again.');
    }
    if (response.status >= 500 && !answer.detail) { // not the application's, but that of something on the way to it
      throw app.lost();
    }
    const reasons = (answer.errors || []).map((error) => `${error.field} ${error.reason}`);
    // Times in what the server says are in UTC.
    const detail = (answer.detail || 'The request has failed.')
      .replace(answer.roomAt, () => app.time(answer.roomAt, '2-digit'));
    const failure = new Error(reasons.join('; ') || detail);
    failure.status = response.status;
    failure.wait = Number(response.headers.get('Retry-After')) || 0;
    throw failure;
  },

  /** Whether a request has come to the server is not known when its answer has not come back. */
  lost() {
    const failure = new Error('No answer came. What you asked for may have been done all the same.');
    failure.lost = true;
    return failure;
  },

  /** A login, or the end of the browser's own session, has made the token of this page void: takes that of a new one. */
  async renew() {
    const page = await fetch(location.pathname).then((response) => response.text()).catch(() => '');
    const meta = new DOMParser().parseFromString(page, 'text/html').querySelector('meta[name=csrf]');
    app.token = meta ? meta.content : app.token;
  },

  ahead: 0,

  /** Ends are by the clock of the server, which that of the reader may be far from. */
  setClock(date) {
    const ahead = date ? Date.parse(date) - Date.now() : 0;
    // The header has whole seconds, so that a little is no difference.
    app.ahead = Math.abs(ahead) > 3000 ? ahead : 0;
  },

  now() {
    return Date.now() + app.ahead;
  },

  /** A point in time as the reader would say it, with the day only where it is not today. */
  time(iso, second) {
    const at = new Date(iso);
    const today = at.toDateString() === new Date().toDateString();
    return at.toLocaleString(undefined, today
      ? {hour: '2-digit', minute: '2-digit', second}
      : {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit'});
  },

  /** How long until then, in the two largest units; empty once it is over. */
  left(iso) {
    const seconds = Math.ceil((new Date(iso) - app.now()) / 1000);
    if (seconds <= 0) {
      return '';
    }
    const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
    const first = units.findIndex(([, size]) => seconds >= size);
    return units.slice(first, first + 2).map(([name, size], i) => {
      const whole = Math.floor((i === 0 ? seconds : seconds % units[first][1]) / size);
      return `${whole} ${name}`;
    }).join(' ');
  },

  /** Copies a text and says so; where that is not allowed, marks it for the reader to copy. */
  async copy(text, status, source) {
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(source);
      if (source.select) {
        source.select();
      }
      status.textContent = 'Marked: copy it with your keyboard.';
    }
  },
};

// Times that the server has rendered are in UTC until here.
for (const time of document.querySelectorAll('time[datetime]')) {
  time.textContent = app.time(time.dateTime, '2-digit');
}
