import type { ColumnConfig, ColumnExplanation, Decision, EvidenceKind, Reason } from '@stagecraft/spec'
import { lookUp } from '../config/settings.ts'
import type {
  Description,
  DescriptionRule,
  GroupRule,
  LeftOutColumn,
  Plan,
  PlannedColumn,
  ValueRule,
} from '../plan/plan.ts'
import type { ReadColumn } from '../plan/read-columns.ts'
import type { Subject } from '../plan/subject.ts'
import { type ColumnFacts, explainName } from './explain-name.ts'
import { explainTests, KIND_OF_EVIDENCE } from './explain-tests.ts'
import { type Setting, SettingsOf } from './settings-of.ts'

/** Explains a column of the model. */
export function explainColumn(column: PlannedColumn, plan: Plan, subject: Subject): ColumnExplanation {
  const facts = { column, subject, settings: new SettingsOf(subject) }
  return {
    ...storedOf(column.source, subject),
    name: column.name,
    decisions: [
      explainName(facts),
      explainValue(facts),
      explainGroup(facts, plan),
      explainDescription(column.description, {
        key: column.source === undefined ? undefined : facts.settings.column(column.source, 'description'),
        settings: facts.settings,
        reference: evidenceOfReference(facts),
      }),
      ...explainTests(facts, plan),
    ],
  }
}

/** Explains a column that the model does not have. */
export function explainLeftOut({ rule, source }: LeftOutColumn, subject: Subject): ColumnExplanation {
  const settings = new SettingsOf(subject)
  const key = settings.column(source, 'exclude')
  const setting = settings.setting('options', 'metadataColumns')
  const reason: Reason =
    rule === 'exclude'
      ? { rule: 'name.exclude', evidence: 'configuration', text: 'stagecraft.yml leaves the column out' }
      : {
          rule: 'name.metadataColumns',
          evidence: 'loader',
          text: `${subject.loader?.title ?? 'the loader'} adds the column; ${setting.text}`,
        }
  const keys = [rule === 'exclude' ? key : setting.key]
  return { ...storedOf(source, subject), decisions: [{ about: 'name', reasons: [reason], keys }] }
}

function storedOf(
  source: string | undefined,
  { columns }: Subject,
): Pick<ColumnExplanation, 'column' | 'type'> {
  const stored = columns.find(({ name }) => name === source)
  return stored ? { column: stored.name, type: stored.type } : {}
}

interface ValueWords {
  /** Default: that of the setting. */
  readonly evidence?: EvidenceKind
  readonly text: (facts: ColumnFacts) => string
  readonly setting?: 'casts' | 'keysAsText' | 'deletedRows'
}

const VALUE_RULES: Readonly<Record<ValueRule, ValueWords>> = {
  as: {
    evidence: 'configuration',
    text: ({ column, subject }) => `stagecraft.yml says that it holds ${configOf(column, subject)?.as ?? ''}`,
  },
  asNotPossible: {
    evidence: 'configuration',
    text: (facts) =>
      `stagecraft.yml says that it holds ${configOf(facts.column, facts.subject)?.as ?? ''}, but ${typeOf(facts)} cannot be converted to that`,
  },
  castsNone: { text: () => 'nothing is converted', setting: 'casts' },
  expression: {
    evidence: 'backend',
    text: () => 'a language model proposed the expression, and it passed the checks',
    setting: 'casts',
  },
  backend: {
    evidence: 'backend',
    text: () => 'a language model proposed the conversion, and it passed the checks',
    setting: 'casts',
  },
  toUtc: {
    evidence: 'type',
    text: (facts) => `${typeOf(facts)} has a time zone, and models use UTC`,
    setting: 'casts',
  },
  values: {
    evidence: 'values',
    text: (facts) => `its only values, ${valuesOf(facts)}, mean true and false`,
    setting: 'casts',
  },
  awkwardType: {
    evidence: 'type',
    text: (facts) => `${typeOf(facts)} is converted to a type that is easier to work with`,
    setting: 'casts',
  },
  keysAsText: { text: () => 'it is part of a key', setting: 'keysAsText' },
  castsFull: { evidence: 'type', text: () => 'its own type is written out', setting: 'casts' },
  deletedRows: {
    evidence: 'loader',
    text: ({ subject }) => `${subject.loader?.title ?? 'the loader'} marks deleted rows`,
    setting: 'deletedRows',
  },
  asIs: {
    evidence: 'type',
    text: (facts) => `${typeOf(facts)} needs no conversion`,
    setting: 'casts',
  },
  snapshot: { evidence: 'convention', text: () => 'a snapshot keeps every value as stored' },
}

function explainValue(facts: ColumnFacts): Decision {
  const { column, settings, subject } = facts
  const rule = column.reasons.value
  const { evidence, setting, text } = VALUE_RULES[rule]
  const option = setting && settings.setting('options', setting)
  const isConfigured = rule === 'values' && configOf(column, subject)?.values !== undefined
  const source = rule === 'snapshot' ? undefined : column.source
  const flattened = explainField(facts)
  return {
    about: 'value',
    value: printLines(column.expression),
    reasons: [
      {
        rule: `value.${rule}`,
        evidence: isConfigured ? 'configuration' : (evidence ?? option?.evidence ?? 'convention'),
        text: option ? `${text(facts)}; ${option.text}` : text(facts),
      },
      ...(flattened ? [flattened.reason] : []),
    ],
    keys: [
      ...(flattened ? [flattened.key] : []),
      ...(source === undefined ? [] : [settings.column(source, 'as')]),
      ...(source === undefined || rule !== 'values' ? [] : [settings.column(source, 'values')]),
      ...(option ? [option.key] : []),
    ],
  }
}

/** Explains why a field of a struct is a column. */
function explainField(facts: ColumnFacts): { readonly reason: Reason; readonly key: string } | undefined {
  const { settings, subject } = facts
  const field = storedColumn(facts)?.field
  if (!field) return undefined
  const own = lookUp(subject.settings.table.columns, field.of)?.flatten !== undefined
  const option = settings.setting('options', 'flatten')
  const text = `it is a field of ${field.of}; ${own ? 'stagecraft.yml flattens that column' : option.text}`
  return {
    reason: { rule: 'value.flatten', evidence: own ? 'configuration' : option.evidence, text },
    key: own ? settings.column(field.of, 'flatten') : option.key,
  }
}

function printLines(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ')
}

function configOf({ source }: PlannedColumn, { settings }: Subject): ColumnConfig | undefined {
  return lookUp(settings.table.columns, source ?? '')
}

function storedColumn({ column, subject }: ColumnFacts): ReadColumn | undefined {
  return subject.columns.find(({ name }) => name === column.source)
}

function typeOf(facts: ColumnFacts): string {
  return storedColumn(facts)?.type ?? facts.column.dataType
}

function valuesOf(facts: ColumnFacts): string {
  const values = configOf(facts.column, facts.subject)?.values ?? storedColumn(facts)?.values ?? []
  return values.map((value) => JSON.stringify(value)).join(' and ')
}

const GROUP_RULES: Readonly<
  Record<GroupRule, { readonly evidence: EvidenceKind; readonly text: (facts: ColumnFacts) => string }>
> = {
  metadata: {
    evidence: 'loader',
    text: ({ subject }) => `${subject.loader?.title ?? 'the loader'} adds the column`,
  },
  key: { evidence: 'constraint', text: () => 'it is part of a key of this table or of another' },
  name: { evidence: 'name', text: () => 'its name indicates an id' },
  family: { evidence: 'type', text: ({ column }) => `its values are of the family ${column.family}` },
}

function explainGroup(facts: ColumnFacts, { key, style }: Plan): Decision {
  const { column, settings, subject } = facts
  const order = settings.setting('options', 'columnOrder')
  const rule = column.reasons.group
  if (!style.groups) {
    const text = subject.type === 'snapshot' ? 'a snapshot keeps the order of the source' : order.text
    const reason = { rule: 'group.source', evidence: order.evidence, text }
    return { about: 'group', reasons: [reason], keys: subject.type === 'snapshot' ? [] : [order.key] }
  }
  const isOwnKey = rule === 'key' && key?.columns.includes(column.source ?? '')
  const isReference = rule === 'key' && !isOwnKey && configOf(column, subject)?.references !== undefined
  const { evidence, text } = GROUP_RULES[rule]
  return {
    about: 'group',
    value: column.group,
    reasons: [
      {
        rule: `group.${rule}`,
        evidence: isOwnKey && key ? KIND_OF_EVIDENCE[key.evidence] : isReference ? 'configuration' : evidence,
        text: `${text(facts)}; ${order.text}`,
      },
    ],
    keys: [
      ...(rule === 'key'
        ? [isReference ? settings.column(column.source ?? '', 'references') : settings.table('key')]
        : []),
      order.key,
    ],
  }
}

const DESCRIPTION_RULES: Readonly<
  Record<DescriptionRule, { readonly evidence: EvidenceKind; readonly text: string }>
> = {
  'deleted rows': { evidence: 'loader', text: 'the loader marks deleted rows' },
  loader: { evidence: 'loader', text: 'the documentation of the loader states it' },
  key: { evidence: 'constraint', text: 'it is part of the key' },
  reference: { evidence: 'constraint', text: 'it refers to another table' },
  moment: { evidence: 'type', text: 'its name and type indicate it' },
  boolean: { evidence: 'values', text: 'its values mean true and false' },
  list: { evidence: 'values', text: 'it has only a few values' },
  form: { evidence: 'rows', text: 'nearly all of its texts have this form' },
  'grain and rows': { evidence: 'constraint', text: 'the key and the rows of the model show it' },
  snapshot: { evidence: 'constraint', text: 'it follows from the key' },
}

const ORIGINS = {
  user: { evidence: 'configuration', text: 'stagecraft.yml describes it' },
  comment: { evidence: 'comment', text: 'it is the comment in the warehouse' },
  llm: { evidence: 'backend', text: 'a language model proposed it, and it passed the checks' },
} as const

interface DescriptionFacts {
  /** The key of `stagecraft.yml` that describes the same. */
  readonly key: string | undefined
  readonly settings: SettingsOf
  /** The evidence of a described reference. @default a constraint */
  readonly reference?: EvidenceKind | undefined
}

/**
 * Returns the evidence that a column is a foreign key: that of its test, else the configuration; undefined
 * without either.
 */
function evidenceOfReference({ column, subject }: ColumnFacts): EvidenceKind | undefined {
  const test = column.tests.find(({ name }) => name === 'relationships')
  if (test) return KIND_OF_EVIDENCE[test.evidence]
  return configOf(column, subject)?.references === undefined ? undefined : 'configuration'
}

/** Explains a description, or why there is none. */
export function explainDescription(
  description: Description | undefined,
  { key, reference, settings }: DescriptionFacts,
): Decision {
  const asked = settings.setting('options', 'addDocs')
  const keys = [...(key === undefined ? [] : [key]), asked.key]
  if (!description) return { about: 'description', reasons: [withoutDescription(asked)], keys }
  const { origin, rule, text } = description
  const why = origin === 'rule' ? rule && DESCRIPTION_RULES[rule] : ORIGINS[origin]
  const own = rule === 'reference' && reference !== undefined ? { evidence: reference } : {}
  const reasons = why ? [{ rule: `description.${dashed(rule ?? origin)}`, ...why, ...own }] : []
  return { about: 'description', value: text, reasons, keys }
}

function dashed(name: string): string {
  return name.replaceAll(' ', '_')
}

function withoutDescription(asked: Setting): Reason {
  if (asked.isOn) {
    const text = 'there is no comment, and no rule adds anything to the name'
    return { rule: 'description.none', evidence: 'convention', text }
  }
  return { rule: 'description.off', evidence: asked.evidence, text: asked.text }
}
