/** Figures as Prometheus reads them: the text format 0.0.4 of its documentation. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
  /** Values come from a set that the program knows: never from a request, a file or a row. */
  readonly labels?: Labels;
  readonly value: number;
}

/** All samples of one name. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escaped = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');

const labelled = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replace(/"/g, '\\"')}"`);
  return pairs.length ? `{${pairs.join(',')}}` : '';
};

/** Infinity is a bound of a histogram, and no figure of ours. */
const written = (value: number): string => (Number.isFinite(value) ? String(value) : 'NaN');

const linesOf = ({ name, type, help, samples }: Family): readonly string[] => [
  `# HELP ${name} ${escaped(help)}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelled(labels)} ${written(value)}`),
];

/** Families without a sample are left out: a name that was never seen is no zero. */
export const exposition = (families: readonly Family[]): string =>
  `${families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(linesOf)
    .join('\n')}\n`;

/** One sample without labels. */
export const single = (name: string, type: 'counter' | 'gauge', help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [{ value }],
});
