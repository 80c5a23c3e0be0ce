'use strict';

/** Shared by all pages: requests, and times in the reader's zone. */
const app = {
  token: document.querySelector('meta[name=csrf]').content,

  /** What people call the fields of requests. The server's pages use the same words. */
  fields: {value: 'secret', ttl: 'time until the expiry', by: 'extended time', views: 'number of readers'},

  /** Posts JSON and returns the JSON answer, or throws an Error with a message for the reader. */
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
      throw new Error('This page has been open for too long. Copy what you need, then reload it.');
    }
    if (response.status >= 500 && !answer.detail) { // from a proxy, not from the application
      throw app.lost();
    }
    const reasons = (answer.errors || []).map(({field, reason}) => `The ${app.fields[field] || field} ${reason}.`);
    // The server's text has times in UTC.
    const detail = (answer.detail || 'The request failed.')
      .replace(answer.roomAt, () => app.time(answer.roomAt, '2-digit'));
    const failure = new Error(reasons.join(' ') || detail);
    failure.status = response.status;
    failure.wait = Number(response.headers.get('Retry-After')) || 0;
    throw failure;
  },

  /** Without an answer it is unknown whether the request has reached the server. */
  lost() {
    const failure = new Error('The server did not answer. It may have completed the request anyway.');
    failure.lost = true;
    return failure;
  },

  /** Takes the token of a new page, after a login or the end of the browser's session has invalidated this one. */
  async renew() {
    const page = await fetch(location.pathname).then((response) => response.text()).catch(() => '');
    const meta = new DOMParser().parseFromString(page, 'text/html').querySelector('meta[name=csrf]');
    app.token = meta ? meta.content : app.token;
  },

  ahead: 0,

  /** Expiry times are by the server's clock, and the reader's clock may be far off. */
  setClock(date) {
    const ahead = date ? Date.parse(date) - Date.now() : 0;
    // The header has whole seconds, so a small difference means nothing.
    app.ahead = Math.abs(ahead) > 3000 ? ahead : 0;
  },

  now() {
    return Date.now() + app.ahead;
  },

  /** Formats a time in the reader's language, with the day unless it is today. */
  time(iso, second) {
    const at = new Date(iso);
    const today = at.toDateString() === new Date().toDateString();
    return at.toLocaleString(undefined, today
      ? {hour: '2-digit', minute: '2-digit', second}
      : {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit'});
  },

  /** Formats the time left in the two largest units. Empty if none is left. */
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

  /** Copies a text and says so. If copying is not allowed, selects the text for the reader to copy. */
  async copy(text, status, source) {
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(source);
      if (source.select) {
        source.select();
      }
      status.textContent = 'Selected: copy it with your keyboard.';
    }
  },
};

/**
 * Encrypts secrets in the browser, with AES-GCM and a key that only the link contains, behind the #. So the server never
 * sees a secret. Browsers permit this on pages that came by https, or from this machine.
 */
const sealing = {
  possible: Boolean(globalThis.crypto && crypto.subtle),

  async seal(text) {
    const key = await crypto.subtle.generateKey({name: 'AES-GCM', length: 256}, true, ['encrypt']);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt({name: 'AES-GCM', iv}, key, new TextEncoder().encode(text));
    return {
      value: sealing.encode([...iv, ...new Uint8Array(sealed)]),
      key: await sealing.inLink(new Uint8Array(await crypto.subtle.exportKey('raw', key))),
    };
  },

  /** Returns a key as the end of a link: with four bytes of its hash, so that a mistyped end is noticed before it is used. */
  async inLink(bytes) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return sealing.encode([...bytes, ...hash.slice(0, 4)]);
  },

  /** Tests whether the end of a link is as it was made. */
  async isWhole(end) {
    return end.length === 48 && await sealing.inLink(sealing.decode(end).slice(0, 32)) === end;
  },

  /** Decrypts a text with the end of its link, or throws if that is another one's. */
  async open(value, end) {
    const bytes = sealing.decode(value);
    const opened = await crypto.subtle.importKey('raw', sealing.decode(end).slice(0, 32), 'AES-GCM', false, ['decrypt']);
    const text = await crypto.subtle.decrypt({name: 'AES-GCM', iv: bytes.slice(0, 12)}, opened, bytes.slice(12));
    return new TextDecoder().decode(text);
  },

  /** Encodes bytes as base64url. */
  encode(bytes) {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  },

  decode(text) {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
  },
};

// The server renders times in UTC.
for (const time of document.querySelectorAll('time[datetime]')) {
  time.textContent = app.time(time.dateTime, '2-digit');
}
