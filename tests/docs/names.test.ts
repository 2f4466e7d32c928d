import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../apps/operator/src/commands/index.ts';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isBuilt = (name: string) => /^(node_modules|dist|dist-web|\.git|\.leadback|\.turbo)$/.test(name);
const files = globSync('{*,.*,{apps,deploy,docs,examples,packages,scripts,tests}/**}', {
  cwd: root,
  exclude: (path) => isBuilt(path.slice(path.lastIndexOf('/') + 1)),
});
const documents = files.filter((file) => file.endsWith('.md'));
/** The documents that name what there is today: the changelog also names what earlier versions had. */
const current = [...documents.filter((file) => file !== 'CHANGELOG.md'), '.env.example'];

const isSource = (file: string) => /\.(ts|tsx|mjs|cjs|sh|sql|ya?ml|json|cfg|conf|ini|env)$|Dockerfile$/.test(file);
const sources = files
  .filter((file) => isSource(file) && file !== 'tests/docs/names.test.ts')
  .map((file) => ({ file, text: read(file), isTest: /^(tests|docs)\/|\/test\/|\.test\.ts$/.test(file) }));
const product = sources
  .filter(({ isTest }) => !isTest)
  .map(({ file, text }) => ({ file, text: text.replace(/\/\*[^]*?\*\/|(?<!:)\/\/.*|^\s*#.*/gm, '') }));

interface Mention {
  readonly file: string;
  /** The file and the line. */
  readonly at: string;
  readonly name: string;
}

const linesOf = (file: string, text = read(file)): Mention[] =>
  text.split('\n').map((name, index) => ({ file, at: `${file}:${index + 1}`, name }));

/** The first group of the pattern, or all of it, wherever it matches. */
const found = (mentions: readonly Mention[], pattern: RegExp): Mention[] =>
  mentions.flatMap((mention) =>
    Array.from(mention.name.matchAll(pattern), ([all, part = all]) => ({ ...mention, name: part })),
  );

const shown = (mentions: readonly Mention[]) => mentions.map(({ at, name }) => `${at}: ${name}`);

/** The lines of a document outside code blocks, and those of its blocks for a shell; lines that a `\` continues are one. */
const partsOf = (file: string): { readonly prose: readonly Mention[]; readonly shell: readonly Mention[] } => {
  const prose: Mention[] = [];
  const shell: Mention[] = [];
  let language: string | undefined;
  let begun = '';
  for (const line of linesOf(file)) {
    const [, fence, named = ''] = /^\s*(```)(\w*)/.exec(line.name) ?? [];
    if (fence) language = language === undefined ? named : undefined;
    else if (language === undefined) prose.push(line);
    else if (language === 'sh' && line.name.endsWith('\\')) begun += line.name.slice(0, -1);
    else if (language === 'sh') {
      shell.push({ ...line, name: begun + line.name });
      begun = '';
    }
  }
  return { prose, shell };
};
const parts = current.map(partsOf);
const prose = parts.flatMap((part) => part.prose);
const shell = parts.flatMap((part) => part.shell);
const quoted = found(prose, /`([^`]+)`/g);
const code = [...quoted, ...shell];

const settingName = /(?<![\w…$-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w…*])/g;
const settingsOfOthers = new Set([
  'NODE_EXTRA_CA_CERTS', // Node.js
  'OTEL_EXPORTER_OTLP_HEADERS', // OpenTelemetry, as the next two
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SERVICE_NAME',
  'ACCESS_REFUSED', // RabbitMQ, as the next
  'PRECONDITION_FAILED',
]);

const settingsIn = (texts: typeof product) => texts.flatMap(({ text }) => text.match(settingName) ?? []);

describe('settings', () => {
  it('every setting and code in back quotes is in an app, a script or a file of a deployment', () => {
    const ofTests = sources.flatMap(({ text, isTest }) =>
      isTest ? Array.from(text.matchAll(/process\.env(?:\.|\[')([A-Z0-9_]+)/g), ([, name]) => name) : [],
    );
    const defined = new Set([...ofTests, ...settingsIn(product), ...settingsOfOthers]);
    expect(shown(found(quoted, settingName).filter(({ name }) => !defined.has(name)))).toEqual([]);
  });

  it('every setting of .env.example is in the code of an app, a package or a script', () => {
    const listed = linesOf('.env.example').filter(({ name }) => /^(# )?[A-Z0-9_]+=/.test(name));
    const readByCode = new Set([
      ...settingsIn(product.filter(({ file }) => file.endsWith('.ts'))),
      ...settingsOfOthers,
    ]);
    expect(listed.length).toBeGreaterThan(40);
    expect(shown(found(listed, settingName).filter(({ name }) => !readByCode.has(name)))).toEqual([]);
  });
});

const optionName = /--[a-z][a-z-]*/g;
const optionsOf = (text: string): readonly string[] => text.match(optionName) ?? [];
/** The options that a schema of a script names. */
const optionsOfSchema = (text: string) =>
  Array.from(text.matchAll(/^ {2}(\w+): (?:z$|z\.|number\b)/gm), ([, name]) => `--${name}`);
const optionsOfOthers = ['--build-arg', '--profile', '--frozen-lockfile', '--registry']; // Docker's two, pnpm's two
const programsOfOthers = ['cosign', 'kubectl']; // they have verbs such as ours
const commandsOfPnpm = ['audit', 'exec', 'install', 'run', 'sbom'];

/** What begins a line of the operator, wherever it runs. */
const operatorStart =
  /^.*?(?:npm run operator -- |(?:^|[\s(](?<!--profile ))operator(?:-b)? |run --rm migrate |node dist\/main\.js |leadback-operator )|^/;
const groups = new Set(commands.map(({ name }) => name.split(' ')[0]));
const verbs = new Set(commands.flatMap(({ name }) => name.split(' ').slice(1)));

/** The words of a command in a line for a shell. */
const wordsOf = (line: string) =>
  line
    .replace(/'[^']*'|"[^"]*"/g, 'TEXT')
    .replace(/\s[|>&;#)].*|[|)&;].*/, '')
    .trim()
    .split(/\s+/);

/** What a line of the operator has that the operator does not have. */
const unknownIn = (line: string): string | undefined => {
  const [start = ''] = operatorStart.exec(line) ?? [];
  const [group = '', second = '', ...others] = wordsOf(line.slice(start.length));
  if (!groups.has(group)) {
    const isOurs = start !== '' || (verbs.has(second) && !programsOfOthers.includes(group));
    return isOurs && /^[a-z]+$/.test(group) ? group : undefined;
  }
  const command = commands.find(({ name }) => name === group || name === `${group} ${second}`);
  if (!command) return /^[a-z][a-z-]*$/.test(second) ? `${group} ${second}` : undefined;
  const known = [...command.options.flatMap(([flags]) => optionsOf(flags)), '--json', '--csv', '--help'];
  return optionsOf([second, ...others].join(' ')).find((name) => !known.includes(name));
};

/** Lines of logs, such as `lead lost`, can look like commands. */
const isLogged = (line: string) => product.some(({ text }) => text.includes(`'${line}`));

const packageSchema = z.object({ packageManager: z.string(), scripts: z.record(z.string(), z.string()) });

describe('commands', () => {
  it('every command of the operator and its options exist', () => {
    const unknown = code.flatMap(({ at, name }) => {
      const what = unknownIn(name);
      return what === undefined || isLogged(name) ? [] : [`${at}: ${what} in ${name}`];
    });
    expect(unknown).toEqual([]);
  });

  it('every option that is in back quotes without its command exists', () => {
    const known = new Set([
      ...commands.flatMap(({ options }) => options.flatMap(([flags]) => optionsOf(flags))),
      ...sources
        .filter(({ file }) => /^(scripts|apps\/operator)\//.test(file))
        .flatMap(({ text }) => [...optionsOf(text), ...optionsOfSchema(text)]),
      ...optionsOfOthers,
    ]);
    const alone = found(quoted, /^--[a-z][a-z-]*/g);
    expect(shown(alone.filter(({ name }) => !known.has(name)))).toEqual([]);
  });

  it('every script of npm run, pnpm and scripts/run.mjs exists', () => {
    const { scripts } = packageSchema.parse(JSON.parse(read('package.json')));
    const unknown = [
      ...found(code, /\bp?npm(?:@[\d.]+)? run ([\w:-]+)/g).filter(({ name }) => !(name in scripts)),
      ...found(code, /\bpnpm(?:@[\d.]+)? ([\w:]+)/g).filter(
        ({ name }) => !(name in scripts) && !commandsOfPnpm.includes(name),
      ),
      ...found(code, /scripts\/run\.mjs ([\w-]+)/g).filter(({ name }) => !files.includes(`scripts/${name}.ts`)),
    ];
    expect(shown(unknown)).toEqual([]);
  });
});

const parentsOf = (file: string): string[] => {
  const parent = dirname(file);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
};
const entries = new Set(files.flatMap((file) => [file, ...parentsOf(file)]));
const isPath = (text: string) =>
  /^[\w.@<>*{},/-]+$/.test(text) &&
  !text.startsWith('/') &&
  (text.includes('/') || /\.(ts|tsx|mjs|cjs|json|ya?ml|md|sh|sql|cfg|conf|env|ini)$/.test(text));

/** Not in the tree, for a reason. */
const pathsElsewhere = [
  /^(dist|sbom|screenshots)\//, // builds and tests write them
  /^\.leadback\b/, // the data folder of npm start
  /^\.env$|^deploy\/compose\/secrets\b/, // of an installation
  /^@key\.json$/, // a file of the reader
  /^argocd\.argoproj\.io\//, // a name of Kubernetes
  /^deploy\/operator$/, // a deployment, for kubectl
  /^deploy\/kubernetes\/overlays\/production$/, // the reader copies it
  /^migrations\/<date>-<what>\.ts$/, // the reader adds it
];

describe('paths', () => {
  it('every path in back quotes is in the tree', () => {
    const packageNames = sources
      .filter(({ file }) => file.endsWith('package.json'))
      .map(({ text }) => z.object({ name: z.string() }).parse(JSON.parse(text)).name);
    const images = product.flatMap(({ text }) =>
      Array.from(text.matchAll(/image: ([\w./-]+)/g), ([, image = '']) => image),
    );
    const isThere = ({ file, name }: Mention): boolean => {
      const path = name.replace(/\/$/, '').replace(/<[^>]+>/g, '*');
      if (pathsElsewhere.some((pattern) => pattern.test(name)) || images.includes(path)) return true;
      if (path.startsWith('@')) return packageNames.includes(path.split('/').slice(0, 2).join('/'));
      if (entries.has(path) || entries.has(join(dirname(file), path))) return true;
      const tail = path.includes('*') ? `{${path},**/${path}}` : undefined;
      return [...entries].some((entry) => (tail ? matchesGlob(entry, tail) : entry.endsWith(`/${path}`)));
    };
    const alone = quoted.filter(({ name }) => isPath(name));
    const inCommands = found(
      code,
      /(?<![\w./@-])(?:apps|deploy|docs|examples|packages|scripts|tests)\/[\w./-]*\w(?![\w*<])/g,
    );
    expect(alone.length).toBeGreaterThan(150);
    expect(shown([...alone, ...inCommands].filter((mention) => !isThere(mention)))).toEqual([]);
  });
});

/** The anchor that GitHub generates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** A document without code blocks and back quotes, line by line. */
const plainOf = (file: string) =>
  read(file)
    .replace(/^```[^]*?^```$/gm, (block) => block.replace(/.+/g, ''))
    .replace(/`[^`\n]*`/g, (inline) => inline.slice(1, -1));
const anchorsOf = (file: string) =>
  Array.from(plainOf(file).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading));
const links = documents.flatMap((file) => found(linesOf(file, plainOf(file)), /\]\(([^)\s]+)\)/g));

const isBroken = ({ file, name }: Mention): boolean => {
  if (/^https?:/.test(name)) return false;
  const [path = '', anchor] = name.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
};

describe('links', () => {
  it('every link has an existing target and anchor', () => {
    expect(links.length).toBeGreaterThan(150);
    expect(shown(links.filter(isBroken))).toEqual([]);
  });

  it('every document in docs/ is linked from another document', () => {
    const linked = new Set(links.map(({ file, name }) => join(dirname(file), name.replace(/#.*/, ''))));
    expect(documents.filter((document) => document.startsWith('docs/') && !linked.has(document))).toEqual([]);
  });

  it('every document that code and comments name exists', () => {
    const named = sources.flatMap(({ file, text }) =>
      found(linesOf(file, text), /(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g),
    );
    expect(shown(named.filter(({ at, name }) => isBroken({ file: 'README.md', at, name })))).toEqual([]);
  });
});

it('documents call what HTTP returns a response', () => {
  const answers = found(prose, /\b(?:answer|repl(?:y|ies|ied))(?:s|ed)?(?: with)? `?[1-5](?:\d\d|xx)\b/gi);
  expect(shown(answers)).toEqual([]);
});

/** As `wc -w` counts: tables and code too. */
const wordsIn = (text: string) => text.match(/\S+/g)?.length ?? 0;

describe('lengths', () => {
  // another language of a document has its words again, and .env.example has the texts of the page of settings
  const counted = current
    .filter((document) => document.endsWith('.md') && !/^docs\/(es|pt)\//.test(document))
    .map((document) => ({ document, words: wordsIn(read(document)) }));

  it('no document has more than 2,500 words', () => {
    expect(counted.filter(({ words }) => words > 2_500)).toEqual([]);
  });

  it('all documents have together at most 30,000 words, with their tables and code', () => {
    expect(counted.length).toBeGreaterThan(35);
    expect(counted.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(30_000);
  });

  it('the README has at most 700 words', () => {
    expect(wordsIn(read('README.md'))).toBeLessThanOrEqual(700);
  });
});
