import type { Phrasings } from './question.ts'

/**
 * Questions about a railway, in the styles of many people, all written down before the first was put. Then 42 of 64 were answered
 * as they should be, 21 were refused and 1 was wrong. The router was mended by kinds of wording, so that by now it has seen them.
 */
export const RAILWAY_PHRASINGS: Phrasings = {
  breaks: [
    "I'm about to delete {x} - anything I should know?",
    'what would stop working if we got rid of {x}',
    'hey, quick one: what breaks when {x} disappears?',
    'impact analysis for {x} please',
  ],
  columnBreaks: [
    'can we drop {x} without breaking anything?',
    'which models would fail if {x} were removed?',
    'we want to rename {x}. what is affected?',
  ],
  readers: [
    'is anybody still using {x}?',
    'show me everything that selects from {x}',
    'what references {x}',
    'direct consumers of {x}?',
  ],
  upstream: [
    'what goes into {x}?',
    'trace {x} back to its origins',
    'give me all upstream models and sources of {x}',
  ],
  grandparents: ['parents and grandparents of {x}, please'],
  sourcesOf: ['which raw tables does {x} ultimately rely on?', 'source tables behind {x}'],
  downstream: ['what sits downstream of {x}?', 'list all dependents of {x}', 'who depends on {x}'],
  columnOrigin: ['where does {x} come from?', 'how is {x} computed?', 'origin of {x}'],
  columnLineage: ['column lineage for {x}', 'full lineage of {x}, up and down'],
  rawColumn: ['which raw columns is {x} based on?'],
  defined: ['which file defines {x}?', 'open {x}', 'where does {x} live?', 'path to {x}?'],
  columns: ['what columns are there in {x}', 'list the fields of {x}', '{x} columns'],
  tests: ['how is {x} tested?', 'what tests do we have on {x}?', 'tests for {x}'],
  missingTests: ['which tests are missing on {x}?', 'what else should be tested on {x}?'],
  untested: ['models lacking tests', 'do we have any models without a single test?'],
  undocumented: ['which models still need a description?', 'models nobody documented'],
  unusedSources: ['any sources we could remove because nothing reads them?', 'dead sources'],
  unusedModels: ['are there models that nothing depends on?', 'orphaned models'],
  drift: ['has anything changed in the warehouse tables?', 'what is different in {x} since we generated it?'],
  wrong: ['is there anything wrong with {x}?', 'lint results of {x}'],
  rule: ['explain {x} to me', 'why do I get {x}?'],
  countModels: ['number of models?', 'how big is the project: how many models are there?'],
  sources: ['list every source', 'what are our sources?'],
  overview: ['summarise this project for me', 'project summary'],
  columnByWords: ['which column tells the {x}?', 'find me the column for the {x}'],
  materialized: ['is {x} a table or a view?', 'how does {x} get materialised?'],
  conventions: ['what conventions does this project follow?', 'naming rules?'],
}
