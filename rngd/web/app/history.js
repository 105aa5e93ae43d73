// The last hour of figures, kept in the page alone: one series a name, a gap where nobody looked or
// the daemon restarted.

export class History {
  /// Milliseconds: how far back, and how long a silence makes a gap.
  constructor(span = 3600_000, silence = 20_000) {
    this.span = span;
    this.silence = silence;
    this.clear();
  }

  clear() {
    this.series_ = new Map();
    this.last = undefined;
    this.boot = undefined;
  }

  /// `values` maps names to numbers (or undefined: nothing known now). A clock that steps back
  /// begins anew.
  add(time, boot, values) {
    if (this.last !== undefined && time < this.last) this.clear();
    const broken = this.last !== undefined && (time - this.last > this.silence ||
                                               boot !== this.boot);
    if (broken) for (const points of this.series_.values()) points.push(
      { x: (this.last + time) / 2, y: NaN });
    for (const [name, value] of Object.entries(values)) {
      if (!this.series_.has(name)) this.series_.set(name, []);
      this.series_.get(name).push({ x: time, y: Number.isFinite(value) ? value : NaN });
    }
    this.last = time;
    this.boot = boot;
    for (const [name, points] of this.series_) {
      while (points.length > 0 && points[0].x < time - this.span) points.shift();
      if (points.length === 0) this.series_.delete(name);
    }
  }

  series(name) {
    return this.series_.get(name) ?? [];
  }

  /// From the first look (a minute at least, so that the first points are not torn apart) to the
  /// last.
  window() {
    const to = this.last ?? 0;
    let from = to - 60_000;
    for (const points of this.series_.values()) if (points.length > 0) from =
      Math.min(from, points[0].x);
    return [from, to];
  }
}

/// What of a status is kept: logarithms of the monitors, shares of the sources.
export function figures_of(status) {
  const values = {};
  for (const watch of status.monitors?.watching ?? []) {
    values[`process:${watch.name}`] = watch.process.log_e_milli / 1000;
    values[`detector:${watch.name}`] = watch.detector.log_e_milli / 1000;
  }
  for (const source of status.monitors?.quality ?? []) {
    for (const measure of source.measures) {
      values[`short:${source.source}/${measure.name}`] = measure.short_ppm;
      values[`long:${source.source}/${measure.name}`] = measure.long_ppm;
    }
  }
  return values;
}
