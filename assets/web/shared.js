'use strict';

/* What the page of a run and the page of a lesson share. */
const $ = id => document.getElementById(id);
const root = document.documentElement;

/* -- unpacking ------------------------------------------------------------------------------------------------------ */

async function unpacked() {
  const packed = Uint8Array.from(atob($('run').textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

/* -- helpers -------------------------------------------------------------------------------------------------------- */

/* A number as a person types it: either minus, a decimal comma, a fraction, a power of ten; NaN for anything else. */
function read(text) {
  const raised = { '⁻': '-', '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9' };
  const plain = text.trim().replace(/−/g, '-').replace(/\s/g, '').replace(/^\+/, '').replace(/%$/, '');
  const dotted = plain.includes('.') ? plain : plain.replace(',', '.');
  const one = part => {
    const tens = /^(.*)[·*]10\^?([-\d⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(part);
    const value = tens ? tens[1] + 'e' + [...tens[2]].map(c => raised[c] ?? c).join('') : part;
    return value === '' ? NaN : Number(value);
  };
  const [above, below, more] = dotted.split('/');
  const found = more !== undefined ? NaN : below === undefined ? one(above) : one(above) / one(below);
  return Number.isFinite(found) ? found : NaN;
}

/* Whether a number is that of a blank: [right number, tolerance, …]. */
function takes(blank, value) {
  return Math.abs(value - blank[0]) <= blank[1] * (1 + 1e-9) + 1e-9 * Math.abs(blank[0]);
}

/* What counts as right, in words. tolerance: '± 0.01', 'exactly' */
function tolerated(tolerance) {
  return tolerance === 'exactly' ? 'The exact number counts as right.' : `${tolerance} counts as right.`;
}

function escaped(text) {
  const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return String(text).replace(/[&<>"]/g, mark => marks[mark]);
}

/* Marks and letters keep their size in pixels in a drawing of any size. */
function fit() {
  for (const drawing of document.querySelectorAll('#stage svg.plane')) {
    const box = drawing.getBoundingClientRect(), view = drawing.viewBox.baseVal;
    const scale = Math.min(box.width / view.width, box.height / view.height);
    if (scale > 0) drawing.style.setProperty('--m', Math.min(2.2, Math.max(0.5, 1 / scale)));
  }
}

/* Small pictures of surfaces hold the number of a colour as a grey: these tables turn it into the colours of the theme. */
function filters() {
  const probe = document.createElement('i');
  document.body.append(probe);
  const rgb = name => { probe.style.color = `var(--${name})`; const c = document.createElement('canvas').getContext('2d'); c.fillStyle = '#000'; c.fillStyle = getComputedStyle(probe).color; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255); };
  const table = names => {
    const colours = names.map(rgb), count = 256;
    return ['R', 'G', 'B'].map((channel, at) => {
      const values = Array.from({ length: count }, (_, grey) => colours[Math.max(0, Math.min(colours.length - 1, Math.round(grey / 20) - 1))][at].toFixed(4));
      return `<feFunc${channel} type="discrete" tableValues="${values.join(' ')}"/>`;
    }).join('');
  };
  const tints = Array.from({ length: 8 }, (_, k) => 't' + k);
  const shades = [0, 1].flatMap(side => Array.from({ length: 5 }, (_, k) => `u${side}${k}`));
  const made = [['tints-light', tints], ['shades-light', shades]].map(([id, names]) =>
    `<filter id="${id}" color-interpolation-filters="sRGB" x="0" y="0" width="1" height="1"><feComponentTransfer>${table(names)}</feComponentTransfer></filter>`);
  let host = $('filters');
  if (!host) { host = document.createElementNS($('markers').namespaceURI, 'g'); host.id = 'filters'; $('markers').after(host); }
  host.innerHTML = made.join('');
  probe.remove();
}

function theme() {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  filters();
}
