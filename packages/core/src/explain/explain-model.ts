import type { Decision, Explanation, Reason } from '@stagecraft/spec'
import type { Plan } from '../plan/plan.ts'
import type { Subject, SubjectReasons } from '../plan/subject.ts'
import { explainColumn, explainDescription, explainLeftOut } from './explain-column.ts'
import { explainEvidence, explainTest, KIND_OF_EVIDENCE } from './explain-tests.ts'
import { SettingsOf } from './settings-of.ts'
import type { PlannedItem } from '../plan/plan-run.ts'
import { parseType } from '../sql/types.ts'

/** Explains what was decided about a model as a whole. */
function explainModel(plan: Plan, subject: Subject): readonly Decision[] {
  const settings = new SettingsOf(subject)
  return [
    explainModelName(subject, settings),
    explainPath(plan, settings),
    ...(plan.source ? [explainSource(subject, settings), explainTableName(subject, settings)] : []),
    explainEntity(subject, settings),
    explainLoader(subject, settings),
    explainKey(plan, subject, settings),
    ...explainRows(plan, subject, settings),
    ...explainFreshness(plan, subject, settings),
    explainDescription(plan.model.description, { key: settings.table('description'), settings }),
    ...plan.model.tests.map((test) =>
      explainTest(test, { subject, settings, column: undefined, isOfKey: true }),
    ),
  ]
}

type ModelRule = SubjectReasons['model'][number]

function explainModelName(
  { modelName, reasons, settings: { dialect }, type }: Subject,
  settings: SettingsOf,
): Decision {
  const pattern = settings.setting('naming', 'types', type, 'model')
  const texts: Readonly<Record<ModelRule, Omit<Reason, 'rule'>>> = {
    configured: { evidence: 'configuration', text: 'stagecraft.yml has a name for this model' },
    pattern: { evidence: pattern.evidence, text: pattern.text },
    shortened: {
      evidence: 'convention',
      text: `${dialect.name} allows at most ${dialect.identifiers.maxBytes} bytes in a name; the end is a hash of the whole name`,
    },
    numbered: {
      evidence: 'name',
      text: 'another table of the run has this name, so a number is added',
    },
  }
  return {
    about: 'model',
    value: modelName,
    reasons: reasons.model.map((rule) => ({ rule: `model.${rule}`, ...texts[rule] })),
    keys: [settings.table('model'), pattern.key],
  }
}

function explainPath({ paths, type }: Plan, settings: SettingsOf): Decision {
  const folder = settings.setting('naming', 'types', type, 'folder')
  const reason: Reason = { rule: 'path.folder', evidence: folder.evidence, text: folder.text }
  return { about: 'path', value: paths.model, reasons: [reason], keys: [folder.key] }
}

function explainSource({ dbtSource, name, reasons }: Subject, settings: SettingsOf): Decision {
  const texts: Readonly<Record<SubjectReasons['source'], Omit<Reason, 'rule'>>> = {
    configured: { evidence: 'configuration', text: 'stagecraft.yml has a name for the source' },
    schema: {
      evidence: 'name',
      text: `it is the schema, ${name.schema ?? name.database ?? ''}, as a plain name`,
    },
    database: {
      evidence: 'name',
      text: 'another schema of the run has this name, so the database is put in front',
    },
  }
  const reason = { rule: `source.${reasons.source}`, ...texts[reasons.source] }
  return { about: 'source', value: dbtSource, reasons: [reason], keys: [settings.source('name')] }
}

function explainTableName({ name, reasons, tableName }: Subject, settings: SettingsOf): Decision {
  const texts: Readonly<Record<SubjectReasons['table'], Omit<Reason, 'rule'>>> = {
    configured: { evidence: 'configuration', text: 'stagecraft.yml has a name for the table' },
    stored: { evidence: 'name', text: `it is the table, ${name.table}, as a plain name` },
    numbered: {
      evidence: 'name',
      text: 'another table of the source has this name, so a number is added',
    },
  }
  const reason = { rule: `table.${reasons.table}`, ...texts[reasons.table] }
  return { about: 'table', value: tableName, reasons: [reason], keys: [settings.table('name')] }
}

function explainEntity({ entity, name, settings: { table } }: Subject, settings: SettingsOf): Decision {
  const prefixes = settings.setting('naming', 'tablePrefixes')
  const reason: Reason =
    table.entity === undefined
      ? {
          rule: 'entity.table',
          evidence: 'name',
          text: `one row of ${name.table}, by the name of the table; ${prefixes.text}`,
        }
      : { rule: 'entity.configured', evidence: 'configuration', text: 'stagecraft.yml states what a row is' }
  const keys = [settings.table('entity'), prefixes.key, settings.setting('naming', 'entity').key]
  return { about: 'entity', value: entity.singular, reasons: [reason], keys }
}

function explainLoader({ loader }: Subject, settings: SettingsOf): Decision {
  const { evidence, key, text } = settings.setting('options', 'loader')
  const isConfigured = evidence === 'configuration'
  const found = loader
    ? `the table has the columns of ${loader.title ?? loader.name}`
    : 'its columns match no known loader'
  const reason: Reason = {
    rule: isConfigured ? 'loader.configured' : 'loader.columns',
    evidence: isConfigured ? 'configuration' : 'name',
    text: isConfigured ? text : `${found}; ${text}`,
  }
  return { about: 'loader', ...(loader && { value: loader.name }), reasons: [reason], keys: [key] }
}

function explainKey({ key }: Plan, subject: Subject, settings: SettingsOf): Decision {
  const keys = [settings.table('key')]
  if (!key) {
    const text = 'no constraint, comment, row, loader or name shows what identifies a row'
    return { about: 'key', reasons: [{ rule: 'key.none', evidence: 'convention', text }], keys }
  }
  const [first] = key.columns
  const repeats = key.repeats ? '; other columns mark extracts or versions, so rows may repeat it' : ''
  const reason: Reason = {
    rule: `key.${key.evidence.replaceAll(' ', '_')}`,
    evidence: KIND_OF_EVIDENCE[key.evidence],
    text: `${explainEvidence(key.evidence, subject, key.columns.length === 1 ? first : undefined)}${repeats}`,
  }
  return { about: 'key', value: key.columns.join(', '), reasons: [reason], keys }
}

function explainRows({ rows }: Plan, { loader }: Subject, settings: SettingsOf): readonly Decision[] {
  const title = loader?.title ?? 'the loader'
  const decisions: Decision[] = []
  if (rows.deduplicate) {
    const { key, text } = settings.setting('options', 'duplicates')
    const mode = settings.setting('options', 'loadMode')
    const why = `${title} appends every version of a row, and only the ${rows.deduplicate.keeps} one is kept; ${text}`
    decisions.push({
      about: 'rows',
      value: `one per ${rows.deduplicate.partitionBy.join(', ')}`,
      reasons: [{ rule: 'rows.duplicates', evidence: 'loader', text: why }],
      keys: [key, mode.key],
    })
  }
  if (rows.where !== undefined) {
    const { key, text } = settings.setting('options', 'deletedRows')
    const why = `${title} marks rows that the source system deleted in ${rows.deletedBy ?? ''}; ${text}`
    decisions.push({
      about: 'rows',
      value: `where ${rows.where}`,
      reasons: [{ rule: 'rows.deletedRows', evidence: 'loader', text: why }],
      keys: [key],
    })
  }
  return decisions
}

function explainFreshness({ source }: Plan, subject: Subject, settings: SettingsOf): readonly Decision[] {
  if (!source) return []
  const { key, text } = settings.setting('options', 'freshness')
  const own = settings.table('loadedAt')
  if (source.table.loadedAt === undefined) {
    const column = subject.settings.options.freshness === false ? undefined : findDayPartition(subject)
    if (column === undefined) return []
    const hint = `no column records when a row arrived; the table is partitioned by day of ${column}: if rows are written on their day, set it as loadedAt`
    return [
      {
        about: 'freshness',
        reasons: [{ rule: 'freshness.partition', evidence: 'type', text: hint }],
        keys: [own, key],
      },
    ]
  }
  const isConfigured = subject.settings.table.loadedAt !== undefined
  const reason: Reason = isConfigured
    ? { rule: 'freshness.configured', evidence: 'configuration', text: `stagecraft.yml states it; ${text}` }
    : {
        rule: 'freshness.loader',
        evidence: 'loader',
        text: `the loader records the arrival of a row there; ${text}`,
      }
  return [
    {
      about: 'freshness',
      value: source.table.loadedAt,
      reasons: [reason],
      keys: isConfigured ? [own, key] : [key],
    },
  ]
}

/**
 * Explains a plan: the rule of every decision, its evidence, and the keys of `stagecraft.yml` that change it.
 *
 * @param source The requested source name.
 */
export function explainItem(item: PlannedItem, source: string): Explanation {
  const { subject } = item
  const plan = item.plan()
  return {
    type: plan.type,
    source,
    model: plan.model.name,
    decisions: explainModel(plan, subject),
    columns: [
      ...plan.columns.map((column) => explainColumn(column, plan, subject)),
      ...plan.leftOut.map((column) => explainLeftOut(column, subject)),
    ],
    warnings: plan.warnings,
  }
}

/**
 * Functions that return the day of a time, or a shorter part of it, in the partitions of BigQuery, ClickHouse,
 * Iceberg and MySQL: `DATE(at)`, `TIMESTAMP_TRUNC(at, HOUR)`, `toDate(at)`, `day(at)`, `to_days(at)`.
 */
const BY_DAY =
  /^(?:date|todate|day|days|to_days|hour|hours|tostartofday|toyyyymmdd|(?:date|datetime|timestamp)_trunc)\(\s*["`]?([^"`(),]+?)["`]?\s*(?:,\s*(?:day|hour)\s*)?\)$/i

/** Returns the stored name of the column that a table is partitioned by day with; undefined without one. */
function findDayPartition({ settings, table }: Subject): string | undefined {
  const [first] = table.storage?.partitionedBy ?? []
  if (first === undefined) return undefined
  const name = BY_DAY.exec(first)?.[1] ?? first
  const column = table.columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
  const { family } = parseType(column?.type ?? '', settings.dialect)
  const isMoment = family === 'date' || family.startsWith('timestamp')
  return isMoment ? column?.name : undefined
}
