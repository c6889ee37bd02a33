import type { Phrasings } from './question.ts'

/**
 * Questions that were put once, after the router was last mended: a measure of how far it reaches, and no test of that. Then
 * 28 of 39 were answered as they should be, 10 were refused, and 1 was answered about the wrong kind of relation; only that was
 * mended, since an answer that is not true is worse than none.
 */
export const UNSEEN_PHRASINGS: Phrasings = {
  breaks: ['how risky is it to remove {x}?', 'what are the knock-on effects of dropping {x}?'],
  columnBreaks: ['if I retire {x}, which models suffer?'],
  readers: ['find all usages of {x}', 'anyone referencing {x}?'],
  upstream: ['everything that feeds {x}', 'what is {x} built from?'],
  grandparents: ['parents and grandparents of {x}'],
  sourcesOf: ['which sources flow into {x}?'],
  downstream: ['what comes after {x}?', 'what uses {x} downstream?'],
  columnOrigin: ['how do we get {x}?', 'what is {x} derived from?'],
  columnLineage: ['lineage for {x}'],
  rawColumn: ['raw columns feeding {x}?'],
  defined: ['location of {x}?', 'in which file is {x}?'],
  columns: ['tell me the columns of {x}', 'schema of {x}'],
  tests: ['is {x} covered by tests?', 'show tests on {x}'],
  missingTests: ['recommend tests for {x}'],
  untested: ['which models have zero tests?', 'untested models'],
  undocumented: ['models with no docs', 'what models are undocumented?'],
  unusedSources: ['sources never read by any model'],
  unusedModels: ['models without any consumer', 'which models are never used?'],
  drift: ['schema drift?', 'which raw tables changed?'],
  wrong: ['any issues in {x}?'],
  rule: ['what does rule {x} check?'],
  countModels: ['count the models'],
  sources: ['list sources'],
  overview: ['give me a summary of the project'],
  columnByWords: ['where do we store the {x}?'],
  materialized: ['materialization of {x}'],
  conventions: ['list our conventions'],
}
