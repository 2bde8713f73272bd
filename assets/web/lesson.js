/* A lesson in one page. Its pages are packed in #run; a picture lists the numbers of its parts, which are HTML. */
const HINT_AFTER = 2, ANSWER_AFTER = 3;      // wrong answers
const CLOSE = 0.005;                         // of a wrong number that the lesson replies to

/* The right place of each given one with its distance, [index, distance], as many as possible within what counts; hits: how many. */
function paired(given, right, within) {
  let best = null;
  const apart = (one, other) => Math.hypot(...other.map((value, k) => one[k] - value));
  const seek = (left, found, hits, sum) => {
    if (found.length === given.length) {
      if (!best || hits > best.hits || (hits === best.hits && sum < best.sum)) best = { found, hits, sum };
      return;
    }
    for (const k of left) {
      const far = apart(given[found.length], right[k]);
      seek(left.filter(other => other !== k), [...found, [k, far]], hits + (far <= within * (1 + 1e-9)), sum + far);
    }
  };
  seek(right.map((_, k) => k), [], 0, 0);
  return best;
}

class Lesson {
  constructor(run) {
    this.run = run;
    this.pages = run.pages;
    this.last = this.pages.length - 1;
    this.at = 0;
    this.chosen = null;                      // names of the views that a person chose
    this.answers = this.pages.map(() => ({ tries: 0, hinted: false, shown: false, done: false, points: 0, given: [], reply: null, step: 0 }));
    this.most = 2 * this.pages.filter(page => page.task && page.task.kind !== 'lab').length;
    $('list').replaceChildren(...this.pages.map((page, k) => {
      const item = document.createElement('li');
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: k + 1, title: page.title });
      button.onclick = () => this.show(k);
      item.append(button);
      return item;
    }));
    this.listen();
    this.jump();
  }

  get page() { return this.pages[this.at]; }
  get answer() { return this.answers[this.at]; }
  html(numbers) { return numbers.map(n => this.run.parts[n]).join(''); }

  /* -- a page -- */

  show(k, push = true) {
    const other = k !== this.at;
    this.at = Math.max(0, Math.min(this.last, k));
    if (other) this.chosen = null;
    const page = this.page;
    $('title').textContent = page.title;
    $('text').innerHTML = page.text;
    $('fault').hidden = !page.fault;
    $('fault').textContent = page.fault;
    $('picture').hidden = !page.picture;
    if (page.picture) $('picture').src = page.picture; else $('picture').removeAttribute('src');
    this.drawViews();
    this.drawTask();
    this.drawPages();
    if (other) $('words').scrollTop = 0;
    if (push) {
      try { history.replaceState(null, '', '#' + (this.at + 1)); } catch { /* a frame without an address */ }
    }
  }

  rows() {
    const page = this.page, task = page.task;
    if (!page.lanes.length) return [];
    if (task && task.kind === 'step') return task.steps[this.answer.step].rows;
    return this.answer.done || !task ? (task ? page.done : page.open) : page.open;
  }

  views(row) {
    const wanted = (this.chosen || []).filter(name => row.v[name]);
    const found = wanted.length ? wanted : row.w.slice(0, this.page.lanes.length > 1 ? 1 : 2);
    return found.length ? found : Object.keys(row.v).slice(0, 1);
  }

  drawViews() {
    const rows = this.rows(), several = rows.length > 1;
    $('stage').classList.toggle('lanes', several);
    $('stage').innerHTML = rows.map((row, k) => {
      const [title, chips] = this.page.lanes[k];
      const inside = this.views(row).map(name => `<div class="view" data-view="${escaped(name)}"><h3>${escaped(name)}</h3>${this.html(row.v[name])}</div>`).join('');
      return '<div class="lane">' + (several ? `<h2>${escaped(title)} <span>${escaped(chips)}</span></h2>` : '') + inside
        + (several ? `<p>${this.run.parts[row.t]}</p>` : '') + '</div>';
    }).join('');
    document.body.classList.toggle('bare', !rows.some(row => Object.keys(row.v).length));
    const row = rows[0];
    $('says').hidden = !row || several || !(this.run.parts[row.t] || row.f.length);
    $('lead').innerHTML = row ? this.run.parts[row.t] : '';
    $('formula').innerHTML = row ? row.f.map(n => `<p>${this.run.parts[n]}</p>`).join('') : '';
    this.drawSwitcher(rows);
    this.drawPlaces();
    fit();
  }

  /* The places that were clicked, over the picture; after the answer with the distance to the right ones, which it shows then. */
  drawPlaces() {
    const { task } = this.page, { given, done } = this.answer;
    if (!task || task.kind !== 'place') return;
    const drawing = document.querySelector(`#stage .lane:first-child [data-view="${CSS.escape(task.view)}"] svg.plane > svg`);
    if (!drawing) return;
    const layer = document.createElementNS(drawing.namespaceURI, 'g');
    const [wide, high] = task.size, flat = task.places[0].length < 2;
    const across = x => (x - task.x[0]) / (task.x[1] - task.x[0]) * wide;
    const down = y => flat ? high / 2 : high - (y - task.y[0]) / (task.y[1] - task.y[0]) * high;
    const mark = ([x, y]) => flat ? `<path d="M${across(x)} 0V${high}" class="yours"/>`
      : `<g transform="translate(${across(x)} ${down(y)})"><g class="m"><circle r="10" class="yours"/></g></g>`;
    const ends = done && given.length ? paired(given, task.places, task.within).found : [];
    const way = ([k, far], g) => {
      const from = [across(given[g][0]), down(given[g][1])], to = [across(task.places[k][0]), down(task.places[k][1])];
      return `<path d="M${from}L${to}" class="yours"/><g transform="translate(${(from[0] + to[0]) / 2} ${(from[1] + to[1]) / 2})">`
        + `<g class="m"><text x="${from[0] > 0.7 * wide ? -14 : 14}" y="-8" text-anchor="${from[0] > 0.7 * wide ? 'end' : 'start'}" class="away">${this.near(far)} away</text></g></g>`;
    };
    layer.innerHTML = given.map(mark).join('') + ends.map(way).join('');
    drawing.append(layer);
    if (done) return;
    drawing.classList.add('asks');
    drawing.onclick = event => {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
      this.putPlace([task.x[0] + x / wide * (task.x[1] - task.x[0]), task.y[0] + (high - y) / high * (task.y[1] - task.y[0])]);
    };
  }

  /* A distance with as many decimals as tell those apart that count. */
  near(far) { return far.toFixed(Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(this.page.task.within))))); }

  /* One more place; once all are there the nearest one moves. */
  putPlace(place) {
    const { task } = this.page, { given } = this.answer;
    if (given.length < task.places.length) given.push(place);
    else {
      const apart = given.map(other => Math.hypot(other[0] - place[0], other[1] - place[1]));
      given[apart.indexOf(Math.min(...apart))] = place;
    }
    this.drawViews();
    this.drawTask();
  }

  checkPlaces() {
    const { task } = this.page, given = this.answer.given, count = task.places.length;
    if (given.length < count) return this.refuse(`Click ${count > 1 ? `${count} places` : 'the place'} first.`, $('check'));
    const { found, hits } = paired(given, task.places, task.within);
    const far = this.near(Math.max(...found.map(each => each[1])));
    const known = task.wrong.find(([places]) => places.length === count && paired(given, places, task.within).hits === count);
    const some = count > 1 && hits ? `Not yet: ${hits} of ${count} are right.` : '';
    const right = hits === count;
    this.judge(right, right ? `Right: ${count > 1 ? 'the farthest is ' : ''}${far} away, up to ${task.within} counts.` : known ? known[1] : some, [...given]);
  }

  drawSwitcher(rows) {
    const names = [...new Set(rows.flatMap(row => Object.keys(row.v)))];
    const shown = [...new Set(rows.flatMap(row => this.views(row)))];
    $('switcher').replaceChildren(...(names.length < 2 ? [] : names).map(name => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
      button.setAttribute('aria-pressed', shown.includes(name));
      button.onclick = () => {
        this.chosen = shown.includes(name) ? (shown.length > 1 ? shown.filter(n => n !== name) : shown) : [...shown, name].slice(-2);
        this.drawViews();
      };
      return button;
    }));
  }

  drawPages() {
    [...$('list').querySelectorAll('button')].forEach((button, k) => {
      button.setAttribute('aria-pressed', k === this.at);
      const answer = this.answers[k];
      button.className = answer.done && this.pages[k].task.kind !== 'lab' ? (answer.points ? 'done' : 'missed') : '';
      if (k === this.at) button.scrollIntoView({ block: 'nearest', inline: 'center' });
    });
    $('back').disabled = !this.at;
    $('next').disabled = this.at === this.last;
    const points = this.answers.reduce((sum, answer) => sum + answer.points, 0);
    $('points').textContent = this.most ? `${points} of ${this.most} points` : '';
  }

  /* -- its task -- */

  drawTask() {
    const task = this.page.task, answer = this.answer;
    $('task').hidden = !task;
    if (!task) return;
    const { kind } = task, done = answer.done;
    $('prompt').textContent = task.ask;
    $('worth').textContent = kind === 'lab' ? 'in the lab' : done ? `${answer.points} of 2 points` : '2 points';
    $('blanks').innerHTML = kind === 'type' ? task.rows.map(row => `<p>${row}</p>`).join('') : '';
    for (const [k, input] of $('blanks').querySelectorAll('input').entries()) {
      input.value = answer.given[k] ?? '';
      input.disabled = done;
    }
    $('tolerance').textContent = kind === 'type' && !done ? tolerated(task.tolerance)
      : kind === 'place' && !done ? this.howPlaces()
      : kind === 'pick' && task.more > 0 && !done ? `${task.more} more cannot be right and are not listed.` : '';
    $('options').replaceChildren(...(kind === 'pick' ? task.options : []).map(option => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: option[0], disabled: done });
      button.className = done && option[1] ? 'right' : answer.given.includes(option[0]) ? 'tried' : '';
      button.onclick = () => this.judge(option[1], option[2], [...answer.given, option[0]]);
      return button;
    }));
    $('sentence').hidden = kind !== 'write';
    $('sentence').value = answer.given[0] ?? '';
    $('stepper').hidden = kind !== 'step';
    if (kind === 'step') { $('range').max = task.steps.length - 1; $('range').value = answer.step; }
    $('lab').hidden = kind !== 'lab';
    $('reply').textContent = answer.reply ? answer.reply[1] : '';
    $('reply').className = answer.reply ? (answer.reply[0] ? 'good' : 'bad') : '';
    $('hint').textContent = answer.hinted ? 'Hint: ' + task.hint : '';
    const said = done ? [kind === 'pick' ? '' : task.right, task.explains] : [];
    $('solution').replaceChildren(...said.filter(Boolean).map(text => Object.assign(document.createElement('p'), { textContent: text })));
    $('check').hidden = done || !['type', 'write', 'place'].includes(kind);
    $('help').hidden = done || answer.hinted || !task.hint || (answer.tries < HINT_AFTER && kind !== 'lab' && kind !== 'step');
    $('show').hidden = done || !(task.right || task.explains);
  }

  howPlaces() {
    const { places, view } = this.page.task, done = this.answer.given.length;
    if (done === places.length) return places.length > 1 ? 'Click beside a place to move it.' : 'Click again to move the place.';
    return `Click in the picture “${view}”${places.length > 1 ? `: ${done} of ${places.length} places` : ''}.`;
  }

  judge(right, says, given) {
    const answer = this.answer;
    answer.given = given;
    if (right) {
      answer.points = answer.tries || answer.hinted ? 1 : 2;
      answer.reply = [true, says || 'Right.'];
      answer.done = true;
    } else {
      answer.tries++;
      answer.reply = [false, says || 'Not right: try again.'];
      if (answer.tries >= ANSWER_AFTER) {
        answer.shown = answer.done = true;
        answer.reply[1] = says || 'Not right.';
      }
    }
    this.show(this.at);
  }

  check() {
    const task = this.page.task;
    if (!task || this.answer.done) return;
    if (task.kind === 'write') {
      const text = $('sentence').value;
      if (text.trim()) return this.judge(true, 'Written. The lab keeps it in a hand-in; this page does not.', [text]);
      return this.refuse('Write a sentence first.', $('sentence'));
    }
    if (task.kind === 'place') return this.checkPlaces();
    if (task.kind !== 'type') return;
    const inputs = [...$('blanks').querySelectorAll('input')];
    const typed = inputs.map(input => read(input.value));
    const empty = typed.findIndex(Number.isNaN);
    if (empty >= 0) return this.refuse('A number in each blank, please: 0.75, −2, 3/8 or 1.5·10⁻³.', inputs[empty]);
    const good = typed.map((value, k) => takes(task.blanks[k], value));
    const near = (a, b) => Math.abs(a - b) <= CLOSE + CLOSE * Math.abs(b);
    const known = task.wrong.find(([numbers]) => numbers.length === typed.length && numbers.every((a, k) => near(a, typed[k])));
    const wrong = good.filter(right => !right).length;
    const some = wrong && wrong < good.length ? `Not yet: ${wrong} of ${good.length} numbers are wrong.` : '';
    this.judge(!wrong, wrong && known ? known[1] : some, inputs.map(input => input.value));
  }

  refuse(text, place) {
    $('reply').textContent = text;
    $('reply').className = 'bad';
    place.focus();
  }

  hint() { this.answer.hinted = true; this.drawTask(); }

  giveUp() {
    Object.assign(this.answer, { shown: true, done: true, points: 0, reply: null });
    const met = this.page.task.kind === 'step' ? this.page.task.steps.findIndex(step => step.met) : -1;
    if (met >= 0) this.answer.step = met;
    this.show(this.at);
  }

  walk(step) {
    const { task } = this.page, answer = this.answer;
    answer.step = Math.max(0, Math.min(task.steps.length - 1, step));
    if (task.steps[answer.step].met && !answer.done) this.judge(true, '', []); else this.show(this.at);
  }

  /* -- from outside -- */

  jump() {
    const found = /^#(\d+)$/.exec(location.hash);
    this.show(found ? +found[1] - 1 : 0, !!found);
  }

  strip() {
    document.body.classList.add('printing');
    $('strip').innerHTML = this.pages.map((page, k) => {
      const row = page.lanes.length ? page.open[0] : null, name = row && (row.w[0] || Object.keys(row.v)[0]);
      const task = page.task;
      const options = task && task.options ? '<ul>' + task.options.map(([label]) => `<li>${escaped(label)}</li>`).join('') + '</ul>' : '';
      return `<figure>${name ? this.html(row.v[name]) : ''}<figcaption><p><b>${k + 1} ${escaped(page.title)}</b></p>${page.text}`
        + (task ? `<p class="task">${escaped(task.ask)}</p>${options}` : '') + '</figcaption></figure>';
    }).join('');
  }

  listen() {
    const keys = {
      PageDown: () => this.show(this.at + 1), PageUp: () => this.show(this.at - 1), ArrowRight: () => this.show(this.at + 1),
      ArrowLeft: () => this.show(this.at - 1), Home: () => this.show(0), End: () => this.show(this.last), t: theme,
    };
    addEventListener('keydown', event => {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input,textarea')) return;
      event.preventDefault();
      act();
    });
    $('back').onclick = () => this.show(this.at - 1);
    $('next').onclick = () => this.show(this.at + 1);
    $('theme').onclick = theme;
    $('help').onclick = () => this.hint();
    $('show').onclick = () => this.giveUp();
    $('before').onclick = () => this.walk(this.answer.step - 1);
    $('after').onclick = () => this.walk(this.answer.step + 1);
    $('range').oninput = event => this.walk(+event.target.value);
    $('answer').onsubmit = event => { event.preventDefault(); this.check(); };
    addEventListener('hashchange', () => this.jump());
    addEventListener('beforeprint', () => this.strip());
    addEventListener('afterprint', () => document.body.classList.remove('printing'));
    addEventListener('resize', fit);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', filters);
  }
}

unpacked().then(run => { filters(); window.page = new Lesson(run); document.body.dataset.ready = 'yes'; }, () => {
  $('pages').hidden = true;
  $('points').textContent = 'this browser is too old for the tasks';
});
