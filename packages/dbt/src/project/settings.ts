import { parseDocument, YAMLParseError } from 'yaml'
import { StagecraftError } from '@stagecraft/spec'
import type { JinjaValue } from '../jinja/jinja-value.ts'
import { yamlFault } from '../yaml/yaml-fault.ts'
import { asRecord, asText, asTexts } from './shapes.ts'

/** The settings of `dbt_project.yml`, with dbt's defaults. Texts may contain unrendered Jinja. */
export interface ProjectSettings {
  readonly name: string
  /** The entry of `profiles.yml` that is used. */
  readonly profile: string | undefined
  readonly modelPaths: readonly string[]
  readonly seedPaths: readonly string[]
  readonly snapshotPaths: readonly string[]
  readonly macroPaths: readonly string[]
  readonly analysisPaths: readonly string[]
  readonly testPaths: readonly string[]
  /** The folders with docs blocks; all other folders if empty. */
  readonly docsPaths: readonly string[]
  /** The folder of packages: `dbt_packages`. */
  readonly packagesPath: string
  /** The folder of artifacts: `target`. */
  readonly targetPath: string
  /** Ranges that all hold: `>=1.8.0`, `<3.0.0`. */
  readonly requireDbtVersion: readonly string[]
  /** Variables of the project; those below its name win. */
  readonly vars: Readonly<Record<string, JinjaValue>>
  readonly quoting: { readonly database?: boolean; readonly schema?: boolean; readonly identifier?: boolean }
  /** The order in which macros are looked up, by the package that they belong to. */
  readonly dispatch: readonly { readonly namespace: string; readonly order: readonly string[] }[]
  readonly flags: Readonly<Record<string, JinjaValue>>
  /** Configuration by folder, as it is written: `{ shop: { staging: { '+materialized': 'view' } } }`. */
  readonly models: Readonly<Record<string, JinjaValue>>
  /** The settings of sources, by folder, source and table. */
  readonly sources: Readonly<Record<string, JinjaValue>>
  /** The settings of data tests, by folder. */
  readonly tests: Readonly<Record<string, JinjaValue>>
}

/** The file that makes a folder a dbt project. */
export const PROJECT_FILE = 'dbt_project.yml'

/**
 * Reads `dbt_project.yml`.
 *
 * @param path Its path, for messages.
 * @throws {StagecraftError} INVALID_REQUEST with the line for invalid YAML, or without a name.
 */
export function readSettings(text: string, path = PROJECT_FILE): ProjectSettings {
  const data = asRecord(readYamlData(text, path))
  const name = asText(data['name'])
  if (name === undefined) throw fault(path, { expected: 'a name: of the project', received: 'nothing' })
  return {
    name,
    profile: asText(data['profile']),
    modelPaths: folders(data['model-paths'] ?? data['source-paths']) ?? ['models'],
    seedPaths: folders(data['seed-paths'] ?? data['data-paths']) ?? ['seeds'],
    snapshotPaths: folders(data['snapshot-paths']) ?? ['snapshots'],
    macroPaths: folders(data['macro-paths']) ?? ['macros'],
    analysisPaths: folders(data['analysis-paths']) ?? ['analyses'],
    testPaths: folders(data['test-paths']) ?? ['tests'],
    docsPaths: folders(data['docs-paths']) ?? [],
    packagesPath: asText(data['packages-install-path']) ?? asText(data['modules-path']) ?? 'dbt_packages',
    targetPath: asText(data['target-path']) ?? 'target',
    requireDbtVersion: asTexts(data['require-dbt-version']) ?? [],
    vars: readVars(data['vars'], name),
    quoting: Object.fromEntries(
      Object.entries(asRecord(data['quoting'])).filter(([, value]) => typeof value === 'boolean'),
    ),
    dispatch: readDispatch(data['dispatch']),
    flags: asRecord(data['flags']),
    models: asRecord(data['models']),
    sources: asRecord(data['sources']),
    tests: asRecord(data['data_tests'] ?? data['tests']),
  }
}

/** Folders as trees name them: `./models/` is `models`, and `.` the root. */
function folders(value: JinjaValue | undefined): readonly string[] | undefined {
  return asTexts(value)?.map((folder) =>
    folder
      .replace(/^(?:\.\/)+/, '')
      .replace(/\/+$/, '')
      .replace(/^\.$/, ''),
  )
}

function readVars(value: JinjaValue | undefined, name: string): Readonly<Record<string, JinjaValue>> {
  const all = asRecord(value)
  return { ...all, ...asRecord(all[name]) }
}

function readDispatch(value: JinjaValue | undefined): ProjectSettings['dispatch'] {
  const entries: readonly JinjaValue[] = Array.isArray(value) ? value : []
  return entries.map(asRecord).flatMap((entry) => {
    const namespace = asText(entry['macro_namespace'])
    return namespace === undefined ? [] : [{ namespace, order: asTexts(entry['search_order']) ?? [] }]
  })
}

/**
 * Reads YAML as data.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the line of the invalid part.
 */
export function readYamlData(text: string, path: string): JinjaValue {
  const { data, error } = tryRead(text)
  if (!error) return data
  const isCoded = 'code' in error && error.code !== 'RESOURCE_EXHAUSTION'
  const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined
  throw fault(path, {
    expected: 'valid YAML',
    received: isCoded ? String(error.code).toLowerCase().replaceAll('_', ' ') : yamlFault(error),
    ...(line && { line }),
  })
}

function tryRead(text: string): { readonly data: JinjaValue; readonly error?: Error } {
  try {
    const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'silent' })
    const [error] = document.errors
    return error ? { data: null, error } : { data: document.toJS() as JinjaValue }
  } catch (error) {
    return { data: null, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function fault(
  path: string,
  found: { readonly expected: string; readonly received: string; readonly line?: number },
): StagecraftError {
  const place = found.line === undefined ? path : `${path}:${found.line}`
  return new StagecraftError(
    'INVALID_REQUEST',
    `${place}: expected ${found.expected}, got ${found.received}`,
    {
      details: { faults: [{ path, ...found }] },
    },
  )
}
