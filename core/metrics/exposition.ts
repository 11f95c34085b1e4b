/** Formats metrics in the text format 0.0.4 of Prometheus. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** `_bucket`, `_sum` or `_count` for a histogram. */
  readonly suffix?: string;
  /** The values come from a fixed set in the program: never from a request, a file or a row. */
  readonly labels?: Labels;
  readonly value: number;
}

/** All samples of one metric name. */
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

/** Formats a value. Infinity occurs only as the bound of a histogram, never as a value. */
const written = (value: number): string => (Number.isFinite(value) ? String(value) : 'NaN');

const linesOf = ({ name, type, help, samples }: Family): readonly string[] => [
  `# HELP ${name} ${escaped(help)}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelled(labels)} ${written(value)}`),
];

/** Formats families; those without samples are omitted, because a missing value is not zero. */
export const exposition = (families: readonly Family[]): string =>
  `${families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(linesOf)
    .join('\n')}\n`;

/** Builds a family with one sample and no labels. */
export const single = (name: string, type: 'counter' | 'gauge', help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [{ value }],
});
