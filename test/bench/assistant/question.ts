/** The kinds of questions whose answers are sets. */
export const QUESTION_KINDS = [
  'breaks',
  'columnBreaks',
  'readers',
  'upstream',
  'grandparents',
  'sourcesOf',
  'downstream',
  'columnOrigin',
  'columnLineage',
  'rawColumn',
  'defined',
  'columns',
  'tests',
  'missingTests',
  'untested',
  'undocumented',
  'unusedSources',
  'unusedModels',
  'drift',
  'wrong',
  'rule',
  'countModels',
  'sources',
  'overview',
  'columnByWords',
  'materialized',
  'conventions',
] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** Ways to put a question, by kind; `{x}` is the name of what it is about. */
export type Phrasings = Readonly<Record<QuestionKind, readonly string[]>>

/** What a question can be about, and the answer to it. */
export interface Subject {
  /** As the question spells it; empty for questions about the whole project. */
  readonly name: string
  readonly expected: ReadonlySet<string>
}
