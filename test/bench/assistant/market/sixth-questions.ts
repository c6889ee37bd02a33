import { READERS, SEEDS } from './facts.ts'
import {
  type Answer,
  built,
  calling,
  ids,
  keyed,
  marts,
  models,
  not,
  parentsOfKind,
  readersOfKind,
  sources,
  staging,
  tests,
} from './truth.ts'

const exposures = READERS.filter(({ kind }) => kind === 'exposure')
const readByModels = (least: number): ReadonlySet<string> =>
  models(({ name }) => readersOfKind(name, 'model') >= least)

/**
 * Questions of a sixth list: tests by their severity and by what they read, keys, owners, macros, and numbers of readers of one kind.
 * Of the first thirteen, two were answered before.
 */
export const SIXTH_MARKET_QUESTIONS: readonly (readonly [question: string, answer: Answer])[] = [
  ['which tests have severity warn?', tests(({ severity }) => severity === 'warn')],
  ['tests with severity warn', tests(({ severity }) => severity === 'warn')],
  ['which models have a unique_key?', models(({ uniqueKey }) => uniqueKey !== undefined)],
  [
    'incremental models without a unique key',
    models(built('incremental'), ({ uniqueKey }) => uniqueKey === undefined),
  ],
  ['which exposures have owners?', ids(...exposures.map(({ name }) => `exposure.${name}`))],
  ['which exposures have no owner', ids()],
  ['which tests are relationships to stg_app__users?', tests(({ to }) => to === 'stg_app__users')],
  ['what models use the macro cents_to_units?', models(calling('cents_to_units'))],
  ['which models do not use macro cents_to_units', models(not(calling('cents_to_units')))],
  ['models read by more than one model', readByModels(2)],
  ['which models are used by at least 2 models', readByModels(2)],
  ['models that read more than one source table', models(({ name }) => parentsOfKind(name, 'source') > 1)],
  ['models with no primary key test', models(not(keyed))],
  ['which tests only warn?', tests(({ severity }) => severity === 'warn')],
  ['how many tests have severity error', tests(({ severity }) => severity === 'error').size],
  ['list the warning tests', tests(({ severity }) => severity === 'warn')],
  ['relationships tests to dim_users', tests(({ to }) => to === 'dim_users')],
  ['foreign key tests pointing to dim_users', tests(({ to }) => to === 'dim_users')],
  ['which relationships tests are there', tests(({ name }) => name === 'relationships')],
  ['all accepted_values tests', tests(({ name }) => name === 'accepted_values')],
  [
    'not_null tests with severity warn',
    tests(({ name, severity }) => name === 'not_null' && severity === 'warn'),
  ],
  ['which marts have a primary key test?', models(marts, keyed)],
  ['staging models without a primary key', models(staging, not(keyed))],
  ['how many models have no tested primary key', models(not(keyed)).size],
  [
    'incremental models with a unique key',
    models(built('incremental'), ({ uniqueKey }) => uniqueKey !== undefined),
  ],
  ['models read by exactly one model', models(({ name }) => readersOfKind(name, 'model') === 1)],
  [
    'staging models that are used by more than 2 models',
    models(staging, ({ name }) => readersOfKind(name, 'model') > 2),
  ],
  ['models that read at least 2 models', models(({ name }) => parentsOfKind(name, 'model') >= 2)],
  [
    'sources used by more than one model',
    sources(({ source, table }) => readersOfKind(`${source}.${table}`, 'model') > 1),
  ],
  [
    'seeds read by at most one model',
    ids(...SEEDS.filter((name) => readersOfKind(name, 'model') <= 1).map((name) => `seed.${name}`)),
  ],
  ['models used by more than one exposure', models(({ name }) => readersOfKind(name, 'exposure') > 1)],
  ['models with tags', models(({ folder, tags }) => tags !== undefined || folder === 'marts/finance')],
  ['models that call the macro cents_per_unit', models(calling('cents_per_unit'))],
  ['how many models are read by more than one model', readByModels(2).size],
  // what cannot be told from files, or has two meanings
  ['which tests warned?', 'refuse'],
  ['how many unique tests do we have?', 'refuse'],
  ['models that read more than one source', 'refuse'],
  ['which tests failed with severity warn?', 'refuse'],
  ['tests with severity critical', 'refuse'],
  ['which models have a foreign key?', 'refuse'],
  ['relationships tests to nowhere', 'refuse'],
  ['models read by more than one team', 'refuse'],
  ['models read by more than one dashboard user', 'refuse'],
  ['models that use the macro no_such_macro', 'refuse'],
  ['which primary keys are broken?', 'refuse'],
  ['which tests of dim_users only warn?', 'refuse'],
]
