import type { Decision, EvidenceKind, Reason } from '@stagecraft/spec'
import type { NameRule } from '../naming/column-name.ts'
import type { PlannedColumn } from '../plan/plan.ts'
import type { Subject } from '../plan/subject.ts'
import type { SettingsOf } from './settings-of.ts'

/** A column with everything that its explanation needs. */
export interface ColumnFacts {
  readonly column: PlannedColumn
  readonly subject: Subject
  readonly settings: SettingsOf
}

interface RuleWords {
  readonly evidence: EvidenceKind | ((facts: ColumnFacts) => EvidenceKind)
  readonly text: (facts: ColumnFacts) => string
  /** The member of `naming` or `options` that controls it; the explanation states its value. */
  readonly setting?: readonly ['naming' | 'options', string]
  /** Other keys that change it, besides the name of the column itself. */
  readonly keys?: (facts: ColumnFacts) => readonly string[]
}

const show = (name: string | undefined): string => JSON.stringify(name ?? '')

const NAME_RULES: Readonly<Record<NameRule, RuleWords>> = {
  stored: {
    evidence: 'name',
    text: ({ column, subject }) => {
      if (subject.type === 'snapshot') return 'a snapshot keeps every name as stored'
      const isSame = column.name === column.source
      return isSame ? 'the stored name is already fine' : `${show(column.source)} is in snake case already`
    },
    setting: ['naming', 'columns'],
  },
  snake: {
    evidence: 'name',
    text: ({ column }) => `${show(column.source)} in snake case`,
    setting: ['naming', 'columns'],
  },
  lower: {
    evidence: 'name',
    text: ({ column }) => `${show(column.source)} in lower case`,
    setting: ['naming', 'columns'],
  },
  case: {
    evidence: 'configuration',
    text: ({ subject }) => `its words are joined, as naming.columns says: ${subject.settings.naming.columns}`,
    setting: ['naming', 'columns'],
  },
  renames: {
    evidence: 'configuration',
    text: ({ column }) => `naming.renames has a name for ${show(column.source)}, which overrides every rule`,
    keys: ({ column, settings }) => [settings.rename(column.source ?? '')],
  },
  metadata: {
    evidence: 'loader',
    text: ({ subject }) => `${subject.loader?.title ?? 'the loader'} adds the column, so no rule renames it`,
    setting: ['options', 'loader'],
  },
  customFields: {
    evidence: 'name',
    text: () => 'it is a custom field of Salesforce',
    setting: ['naming', 'customFields'],
  },
  columnPrefixes: {
    evidence: 'configuration',
    text: () => 'a configured prefix is removed',
    setting: ['naming', 'columnPrefixes'],
  },
  patterns: {
    evidence: 'configuration',
    text: () => 'a configured pattern applies to such names',
    setting: ['naming', 'patterns'],
  },
  splitting: {
    evidence: 'name',
    text: () => 'run-together words are split, because all of them are known',
    setting: ['naming', 'splitting'],
  },
  glossary: {
    evidence: 'configuration',
    text: () => 'words of the glossary are expanded',
    setting: ['naming', 'glossary'],
  },
  conversion: {
    evidence: ({ column }) => (column.reasons.value === 'as' ? 'configuration' : 'backend'),
    text: () => 'the value is converted, so the word for its original unit is removed',
    keys: ({ column, settings }) =>
      column.source === undefined ? [] : [settings.column(column.source, 'as')],
  },
  ids: {
    evidence: 'name',
    text: ({ subject }) => `the table's own id is named after its entity, ${subject.entity.singular}`,
    setting: ['naming', 'ids'],
    keys: ({ settings }) => [settings.table('entity')],
  },
  booleans: {
    evidence: 'type',
    text: () => 'a boolean that names a state or a kind of thing gets "is_", so that it reads as a statement',
    setting: ['naming', 'booleans'],
  },
  timestamps: {
    evidence: 'type',
    text: () => 'the name of an event ends in "_at"',
    setting: ['naming', 'timestamps'],
  },
  dates: {
    evidence: 'type',
    text: () => 'the name of a day on which something happened ends in "_date"',
    setting: ['naming', 'dates'],
  },
  reserved: {
    evidence: 'convention',
    text: () => 'the name is a reserved word in many warehouses, and would need quotes',
    keys: ({ settings }) => [settings.table('entity')],
  },
  prefixWords: {
    evidence: 'configuration',
    text: ({ subject }) => `the entity, ${subject.entity.singular}, goes in front of such a name`,
    setting: ['naming', 'prefixWords'],
  },
  digit: { evidence: 'name', text: () => 'a name that begins with a digit would need quotes' },
  placeholder: {
    evidence: 'name',
    text: ({ column }) =>
      `${show(column.source)} has no letter or digit that a plain name can keep; the column is named by its position`,
  },
  shortened: {
    evidence: 'convention',
    text: ({ subject }) =>
      `${subject.settings.dialect.name} allows at most ${subject.settings.dialect.identifiers.maxBytes} bytes in a name; the end is a hash of the whole name`,
  },
  configured: { evidence: 'configuration', text: () => 'stagecraft.yml has a name for this column' },
  backend: { evidence: 'backend', text: () => 'a language model proposed it, and it passed the checks' },
  loadTime: {
    evidence: 'loader',
    text: () => 'it is the load time, the only column of the loader that the model keeps',
    setting: ['options', 'metadataColumns'],
  },
  deletedRows: {
    evidence: 'loader',
    text: ({ subject }) =>
      `it marks the rows that ${subject.loader?.title ?? 'the loader'} marked as deleted`,
    setting: ['options', 'deletedRows'],
  },
  borne: { evidence: 'name', text: () => 'another column of the table already has the better name' },
  numbered: {
    evidence: 'name',
    text: () => 'another column of the model has this name, so a number is added',
  },
  kept: {
    evidence: 'project',
    text: () => 'the column had this name before another column with the same name was added',
  },
}

/** Explains the staged name of a column. */
export function explainName(facts: ColumnFacts): Decision {
  const { column, settings } = facts
  const rules = column.reasons.name
  const own = column.source === undefined ? [] : [settings.column(column.source, 'name')]
  const others = rules.flatMap((rule) => {
    const { keys, setting } = NAME_RULES[rule]
    return [...(keys?.(facts) ?? []), ...(setting ? [settings.setting(...setting).key] : [])]
  })
  const isSnapshot = facts.subject.type === 'snapshot'
  return {
    about: 'name',
    value: column.name,
    reasons: rules.map((rule) => explainRule(rule, facts)),
    keys: isSnapshot ? [] : [...new Set([...own, ...others])],
  }
}

function explainRule(rule: NameRule, facts: ColumnFacts): Reason {
  const { evidence, setting, text } = NAME_RULES[rule]
  const isConfigurable = setting && facts.subject.type !== 'snapshot'
  const hint = isConfigurable ? `; ${facts.settings.setting(...setting).text}` : ''
  const kind = typeof evidence === 'function' ? evidence(facts) : evidence
  return { rule: `name.${rule}`, evidence: kind, text: `${text(facts)}${hint}` }
}
