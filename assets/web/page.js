/* A run in one page. Steps are packed in #run; a step lists the numbers of its parts, which are HTML. */
const SLOW = 1500, USUAL = 600;              // milliseconds from step to step while playing
const GLYPHS = '▲●◆■★▼◐✚';                   // of the kinds of events

/* -- the page ------------------------------------------------------------------------------------------------------- */

class Page {
  constructor(run) {
    this.run = run;
    this.lanes = run.lanes.filter(lane => lane.steps.length);
    this.lead = this.lanes[0];
    this.last = Math.max(...this.lanes.map(lane => lane.steps.length)) - 1;
    this.at = 0;
    this.asking = 0;                         // the step that is asked about; 0 for none
    this.unit = 'step';
    this.timer = 0;
    this.chosen = null;                      // names of the views that a person chose
    this.right = this.asked = this.tries = 0;
    this.done = new Set();
    this.reply = null;                       // [right, sentence, reasons] of the step just revealed
    this.still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const words = this.lead.code;
    $('code').innerHTML = words.map(([indent]) => `<li style="padding-left:${12 + 7.5 * indent}px"></li>`).join('');
    words.forEach(([, text], k) => { $('code').children[k].textContent = text; });
    $('range').max = this.last;
    $('predict').hidden = !this.lead.steps.some(step => step.q);
    $('stage').classList.toggle('lanes', this.lanes.length > 1);
    this.kinds = [...new Set(this.lead.steps.flatMap(step => step.e))];
    this.drawTime();
    this.listen();
    this.jump();
  }

  step(lane, k) { return lane.steps[Math.min(k, lane.steps.length - 1)]; }
  html(numbers) { return numbers.map(n => this.run.parts[n]).join(''); }

  /* -- one step -- */

  show(k, push = true) {
    this.at = Math.max(0, Math.min(this.last, k));
    const question = this.asking ? this.lead.steps[this.asking] : null;
    const step = this.step(this.lead, this.at);
    document.body.classList.toggle('asking', !!question);
    this.drawViews(question);
    $('says').hidden = !!question;
    $('ask').hidden = !question;
    $('lead').innerHTML = this.run.parts[step.t];
    $('formula').innerHTML = step.f.map(n => `<p>${this.run.parts[n]}</p>`).join('');
    $('facts').innerHTML = this.run.parts[step.n];
    this.drawReply();
    const lit = question ? question.d : step.l;
    [...$('code').children].forEach((line, i) => {
      line.className = i === lit ? 'lit' : '';
      if (i === lit) line.setAttribute('aria-current', 'step'); else line.removeAttribute('aria-current');
    });
    this.drawCursor(step, question);
    if (push) {
      try { history.replaceState(null, '', '#' + (question ? this.asking + '?' : this.at)); } catch { /* a frame without an address */ }
    }
  }

  drawReply() {
    const reply = this.reply;
    $('verdict').hidden = !reply;
    $('verdict').className = reply && reply[0] ? 'good' : 'bad';
    $('verdict').textContent = reply ? reply[1] : '';
    $('why').replaceChildren(...(reply ? reply[2] : []).map(text => Object.assign(document.createElement('p'), { textContent: text })));
    this.reply = null;
  }

  drawCursor(step, question) {
    const share = 100 * this.at / Math.max(1, this.last) + '%';
    $('range').value = this.at;
    $('range').style.setProperty('--p', share);
    $('range').setAttribute('aria-valuetext', `step ${this.at}: ${$('lead').textContent}`);
    $('cursor').style.left = $('veil').style.left = share;
    for (const past of $('line').querySelectorAll('.past')) past.style.clipPath = `inset(-5px calc(100% - ${share}) -5px 0)`;
    for (const mark of $('marks').querySelectorAll('i')) {
      mark.classList.toggle('later', +mark.dataset.k > this.at);
      mark.hidden = !!question && +mark.dataset.k > this.at;
    }
    for (const mark of $('rounds').children) mark.hidden = !!question && +mark.dataset.k > this.at;
    $('now').textContent = this.at;
    $('of').textContent = '/ ' + this.last;
    $('where').textContent = `${this.run.unit} ${this.at}`;
    const said = [`round ${step.r + 1}`, step.e.length ? 'event: ' + step.e.join(', ') : ''].filter(Boolean);
    $('round').replaceChildren(...said.flatMap((text, k) => k ? [document.createElement('br'), text] : [text]));
  }

  /* -- views -- */

  views(lane, row) {
    const has = k => row.v[k] && row.v[k].length;
    const wanted = this.chosen ? this.chosen.map(name => lane.views.indexOf(name)).filter(k => k >= 0 && has(k)) : [];
    const leading = row.w.filter(has).slice(0, this.lanes.length > 1 ? 1 : 2);
    const first = lane.views.findIndex((_, k) => has(k));
    return wanted.length ? wanted : leading.length ? leading : first >= 0 ? [first] : [];
  }

  drawViews(question) {
    const made = this.lanes.map(lane => {
      const row = this.step(lane, this.at);
      const parts = question && lane === this.lead ? question.c : row.v;
      const inside = this.views(lane, row).map(k =>
        `<div class="view"><h3>${escaped(lane.views[k])}</h3>${this.html(parts[k] || [])}</div>`).join('');
      const several = this.lanes.length > 1;
      return '<div class="lane">' + (several ? `<h2>${escaped(lane.title)} <span>${escaped(lane.chips.join(', '))}</span></h2>` : '')
        + inside + (several ? `<p>${this.run.parts[row.t]}</p>` : '') + '</div>';
    });
    $('stage').innerHTML = made.join('');
    this.drawSwitcher();
    fit();
  }

  drawSwitcher() {
    const names = [...new Set(this.lanes.flatMap(lane => lane.views.filter((_, k) => (this.step(lane, this.at).v[k] || []).length)))];
    const shown = new Set(this.lanes.flatMap(lane => this.views(lane, this.step(lane, this.at)).map(k => lane.views[k])));
    const key = JSON.stringify([names, [...shown]]);
    if (key === this.switched) return;
    this.switched = key;
    $('switcher').replaceChildren(...(names.length < 2 ? [] : names).map(name => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
      button.setAttribute('aria-pressed', shown.has(name));
      button.onclick = () => this.choose(name, [...shown]);
      return button;
    }));
  }

  choose(name, shown) {
    this.chosen = shown.includes(name) ? (shown.length > 1 ? shown.filter(n => n !== name) : shown) : [...shown, name].slice(-2);
    this.show(this.at);
  }

  /* -- time -- */

  drawTime() {
    const curves = this.lanes.map(lane => lane.curve).filter(Boolean);
    document.body.classList.toggle('flat', !curves.length);
    const x = k => 100 * k / Math.max(1, this.last);
    if (curves.length) {
      const alone = curves.length === 1;
      $('curve-name').textContent = [...new Set(curves.map(curve => curve.caption))].join('; ');
      $('curve-high').textContent = alone ? curves[0].high : '';
      $('curve-low').textContent = alone ? curves[0].low : '';
      const paths = curves.map(curve => {
        let d = '';
        curve.at.forEach((h, k) => { if (h !== null) { const y = (68 - 66 * h).toFixed(1); d += d ? `H${x(k).toFixed(2)}V${y}` : `M${x(k).toFixed(2)} ${y}`; } });
        return d;
      });
      $('line').innerHTML = paths.map((d, k) => `<path d="${d}" class="d${k}"/><path d="${d}" class="past d${k}"/>`).join('');
    }
    const marks = [], rounds = [];
    this.lead.steps.forEach((step, k) => {
      for (const event of step.e) {
        const glyph = GLYPHS[this.kinds.indexOf(event) % GLYPHS.length];
        marks.push(`<i data-k="${k}" style="left:${x(k)}%" title="${escaped(event)}">${glyph}</i>`);
      }
      if (k && step.r > this.lead.steps[k - 1].r) rounds.push([k, step.r + 1]);
    });
    $('marks').innerHTML = (this.kinds.length === 1 ? `<span class="cap">${escaped(this.kinds[0])}</span>` : '') + marks.join('');
    const every = Math.ceil(rounds.length / 8);
    $('rounds').innerHTML = rounds.length <= 60 ? rounds.map(([k, n], i) =>
      `<i data-k="${k}" style="left:${x(k)}%">${i % every || x(k) < 14 ? '' : 'round ' + n}</i>`).join('') : '';
  }

  far(way) {
    let k = this.at + way;
    const round = i => this.step(this.lead, i).r;
    while (k > 0 && k < this.last && round(k) === round(k - 1)) k += way;
    return k;
  }

  go(k) {
    if (this.asking) return this.giveUp();
    if ($('predict').getAttribute('aria-pressed') === 'true') {
      const next = this.lead.steps.findIndex((step, j) => j > this.at && j <= k && step.q && !this.done.has(j));
      if (next > 0) { this.stop(); return this.ask(next); }
    }
    this.show(k);
  }

  back(k) { this.asking = 0; this.show(k); }
  move(way) { const k = this.unit === 'round' ? this.far(way) : this.at + way; if (way < 0) this.back(k); else this.go(k); }

  stop() { clearInterval(this.timer); this.timer = 0; $('play-icon').setAttribute('d', 'M7 4v16l13-8z'); }
  play() {
    if (this.timer) return this.stop();
    if (this.asking) return;
    if (this.at === this.last) this.show(0);
    this.timer = setInterval(() => { if (this.at < this.last && !this.asking) this.move(1); else this.stop(); }, this.still ? SLOW : USUAL);
    $('play-icon').setAttribute('d', 'M8 5v14M16 5v14');
  }

  /* -- questions -- */

  ask(k) {
    const q = this.lead.steps[k].q;
    this.asking = k;
    this.tries = 0;
    $('prompt').textContent = q.prompt;
    $('context').textContent = q.context;
    $('score').textContent = this.asked ? `${this.right} of ${this.asked} right` : 'question 1';
    $('blanks').innerHTML = (q.rows || []).map(row => `<p>${row}</p>`).join('');
    $('hint').textContent = q.blanks ? `${tolerated(q.hint)} Enter checks, Esc leaves.` : q.hint;
    $('reply').textContent = '';
    $('reply').className = '';
    $('check').hidden = !q.blanks;
    $('options').replaceChildren(...(q.options || []).map(option => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: option[0] });
      button.onclick = () => this.reveal(option[1], option[2], option[3]);
      return button;
    }));
    this.show(k - 1);
    const first = $('blanks').querySelector('input') || $('options').querySelector('button');
    if (first) first.focus({ preventScroll: true });
  }

  check() {
    const q = this.lead.steps[this.asking].q;
    const inputs = [...$('blanks').querySelectorAll('input')];
    const typed = inputs.map(input => read(input.value));
    const said = (text, bad) => { $('reply').textContent = text; $('reply').className = bad ? 'bad' : ''; };
    const empty = typed.findIndex(Number.isNaN);
    if (empty >= 0) { inputs[empty].focus(); return said('A number in each blank, please: 0.75, −2, 3/8 or 1.5·10⁻³.', true); }
    const good = typed.map((value, k) => takes(q.blanks[k], value));
    if (good.every(Boolean)) return this.reveal(!this.tries, 'Right.', []);
    this.tries++;
    inputs.forEach((input, k) => input.classList.toggle('right', good[k]));
    const wrong = good.map((right, k) => right ? '' : inputs[k].getAttribute('aria-label')).filter(Boolean);
    inputs[good.indexOf(false)].focus();
    said('✕ Not yet: look again at ' + wrong.join(', ') + '.', true);
  }

  reveal(right, sentence, reasons) {
    const k = this.asking;
    if (!this.done.has(k)) { this.asked++; this.right += right ? 1 : 0; this.done.add(k); }
    this.asking = 0;
    this.reply = [right || sentence === 'Right.', sentence, reasons];
    this.show(k);
    $('range').focus({ preventScroll: true });
  }

  giveUp() { const q = this.lead.steps[this.asking].q; this.reveal(false, q.shown[0], q.blanks ? [] : q.shown[1]); }
  leave() { this.asking = 0; this.show(this.at); }
  predict() {
    const on = $('predict').getAttribute('aria-pressed') !== 'true';
    $('predict').setAttribute('aria-pressed', on);
    this.stop();
    if (!on) return this.asking ? this.leave() : undefined;
    const next = this.lead.steps.findIndex((step, j) => j > this.at && step.q && !this.done.has(j));
    if (next === this.at + 1) this.ask(next);
  }

  /* -- from outside -- */

  jump() {
    const found = /^#(\d+)(\?)?$/.exec(location.hash);
    this.asking = 0;
    if (found && found[2] && this.lead.steps[+found[1]]?.q) {
      $('predict').setAttribute('aria-pressed', true);
      return this.ask(+found[1]);
    }
    this.show(found ? +found[1] : 0, !!found);
  }

  strip() {
    document.body.classList.add('printing');
    const steps = this.lead.steps, most = 60;
    let chosen = steps.map((step, k) => k).filter(k => !k || k === steps.length - 1 || steps[k].e.length || steps[k].r !== steps[k - 1].r);
    if (chosen.length > most) chosen = chosen.filter((_, i) => i % Math.ceil(chosen.length / most) === 0);
    $('strip').innerHTML = chosen.map(k => {
      const step = steps[k], view = this.views(this.lead, step)[0];
      return `<figure>${view === undefined ? '' : this.html(step.v[view])}<figcaption><p><b>${k}</b> ${this.run.parts[step.t]}</p>`
        + step.f.slice(-1).map(n => this.run.parts[n]).join('') + '</figcaption></figure>';
    }).join('');
  }

  listen() {
    const acts = {
      home: () => this.back(0), end: () => this.go(this.last), back: () => this.asking ? this.leave() : this.move(-1),
      next: () => this.move(1), play: () => this.play(),
    };
    const keys = {
      ArrowLeft: acts.back, ArrowRight: acts.next, Home: acts.home, End: acts.end, ' ': acts.play,
      PageUp: () => this.back(this.far(-1)), PageDown: () => this.go(this.far(1)),
      Escape: () => this.asking && this.leave(), p: () => this.predict(), t: theme,
    };
    addEventListener('keydown', event => {
      const typing = event.target.matches('input.blank'), act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || event.ctrlKey || event.altKey || event.metaKey || (typing && event.key !== 'Escape')) return;
      if (event.key === ' ' && event.target.matches('button')) return;
      event.preventDefault();
      if (event.key !== ' ' && event.key !== 't') this.stop();
      act();
    });
    for (const button of document.querySelectorAll('[data-go]')) {
      button.onclick = () => { if (button.dataset.go !== 'play') this.stop(); acts[button.dataset.go](); };
    }
    for (const button of document.querySelectorAll('[data-unit]')) {
      button.onclick = () => {
        this.unit = button.dataset.unit;
        for (const other of document.querySelectorAll('[data-unit]')) other.setAttribute('aria-pressed', other === button);
      };
    }
    $('predict').onclick = () => this.predict();
    $('theme').onclick = theme;
    $('show').onclick = () => this.giveUp();
    $('answer').onsubmit = event => { event.preventDefault(); this.check(); };
    $('range').oninput = event => {
      const k = +event.target.value;
      this.stop();
      this.asking = 0;
      if (k > this.at) this.go(k); else this.show(k);
      event.target.value = this.at;
    };
    addEventListener('hashchange', () => this.jump());
    addEventListener('beforeprint', () => this.strip());
    addEventListener('afterprint', () => document.body.classList.remove('printing'));
    addEventListener('resize', fit);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', filters);
  }
}

unpacked().then(run => { filters(); window.page = new Page(run); document.body.dataset.ready = 'yes'; }, () => {
  $('time').hidden = true;
  $('where').textContent = 'this browser is too old to step';
});
