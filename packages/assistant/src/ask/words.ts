import type { Comparison, Condition, Order } from '../tools/conditions.ts'
import { GAP_CONDITIONS } from '../tools/gaps.ts'
import type { FactName } from '../tools/facts.ts'
import type { ListedKind } from '../tools/listed.ts'

/** The sense of one or more words of a question. */
export type Sense =
  /** Nothing that changes the answer. */
  | { readonly says: 'nothing' }
  /** A pronoun: it stands for what the question named before. */
  | { readonly says: 'back'; readonly isToOne: boolean }
  /** Files do not tell it, or a list does not answer it. */
  | { readonly says: 'vague' }
  /** The number is asked for. */
  | { readonly says: 'count' }
  | { readonly says: 'kind'; readonly kind: ListedKind }
  /** Tables of a source, if the question names one: a model can be a table too. */
  | { readonly says: 'tables' }
  /** A whole condition; with a kind where the word is a noun: `marts` are models. */
  | {
      readonly says: 'condition'
      readonly fact: FactName
      readonly compare: Comparison
      readonly value: string
      readonly kind?: ListedKind
    }
  /** Something that a relation has or lacks. */
  | { readonly says: 'noun'; readonly fact: FactName }
  /** Columns, or the number of them that a relation has; with a condition, of those that meet it. */
  | { readonly says: 'columns'; readonly fact: FactName; readonly gap?: Condition }
  /** The ones with the highest or the lowest number; with a fact, the number of that. */
  | { readonly says: 'rank'; readonly order: Order; readonly fact?: FactName }
  | { readonly says: 'have' | 'lack' | 'miss' | 'neither' }
  /** Negates the next condition; `except` negates all that follow. */
  | { readonly says: 'not' | 'un' | 'except' }
  | { readonly says: 'and' | 'or' | 'that' }
  /** The next word, or the one before, is a value of it. */
  | { readonly says: 'value of'; readonly fact: FactName }
  | { readonly says: 'compare'; readonly compare: Comparison; readonly isInclusive?: true }
  | { readonly says: 'number'; readonly number: number }
  | { readonly says: 'test'; readonly name: string }

const nothing = { says: 'nothing' } as const
const condition = (fact: FactName, compare: Comparison, value: string, kind?: ListedKind): Sense => ({
  says: 'condition',
  fact,
  compare,
  value,
  ...(kind && { kind }),
})
const kind = (one: ListedKind): Sense => ({ says: 'kind', kind: one })
const noun = (fact: FactName): Sense => ({ says: 'noun', fact })
const rank = (order: Order, fact?: FactName): Sense => ({ says: 'rank', order, ...(fact && { fact }) })
const valueOf = (fact: FactName): Sense => ({ says: 'value of', fact })
const compare = (by: Comparison, isInclusive?: true): Sense => ({
  says: 'compare',
  compare: by,
  ...(isInclusive && { isInclusive }),
})

/** The vocabulary of questions about sets, ordered by sense. Commas separate phrases. */
const TABLE: readonly (readonly [phrases: string, sense: Sense])[] = [
  [
    `a, all, both, an, any, are, at all, be, been, can, could, currently, do, do we have, does, each, either, ever, every,
    everything, anything, exist, existing, find, get, give, good morning, good afternoon, good evening, i would be grateful
    for, hello, hey, hi, i, i need, i want, i would like, in, in the project, in this project, in our project, is, is there,
    just, kindly, list, list of, listing, me, mind, my, names of, need, now, of, one, only the, our, please, pls, print,
    project, quick one, quick question, really, see, show, show only, so far, some, still, tell, thank you, thanks, the, the
    names of, there, this, to, us, was, we, were, what, what are, what is, when, which, which ones, will, would, would you,
    yet, you, your, dbt, already, actually, list only, show me only, only the, can we remove because, we could remove
    because, we can remove because, live, lives, layer, exactly one of, i am new here, i am new, quick`,
    nothing,
  ],
  // what they stand for has to be in the question
  ['it, its, itself', { says: 'back', isToOne: true }],
  ['them, of them, these, of these, they, those, of those, their', { says: 'back', isToOne: false }],
  [
    'how many, number of, the number of, count, count of, the count of, total number of, amount of, how many of',
    { says: 'count' },
  ],
  [
    `not all, not every, all tests, all the tests, all data tests, every test, used to, to be, could be, can be,
    should be, must be, may be, might be`,
    { says: 'vague' },
  ],

  ['model, models', kind('model')],
  ['source, sources, source table, source tables, raw table, raw tables', kind('source')],
  ['table, tables', { says: 'tables' }],
  ['seed, seeds', kind('seed')],
  ['snapshot, snapshots', kind('snapshot')],
  ['exposure, exposures', kind('exposure')],
  ['macro, macros', kind('macro')],
  ['column, columns, col, cols, field, fields', { says: 'columns', fact: 'columns' }],
  [
    'undocumented column, undocumented columns, undescribed column, undescribed columns',
    { says: 'columns', fact: 'undocumented', gap: GAP_CONDITIONS.undocumented },
  ],
  ['untested column, untested columns', { says: 'columns', fact: 'untested', gap: GAP_CONDITIONS.untested }],
  ['dashboard, dashboards', condition('type', '=', 'dashboard', 'exposure')],
  ['notebook, notebooks', condition('type', '=', 'notebook', 'exposure')],

  ['staging, stg', condition('layer', '=', 'staging')],
  ['intermediate, int', condition('layer', '=', 'intermediate')],
  ['mart, marts', condition('layer', '=', 'mart', 'model')],
  [
    'view, views, materialized as views, materialized as view, materialized as a view, materialised as views, materialised as view, materialised as a view',
    condition('materialized', '=', 'view', 'model'),
  ],
  [
    'table model, table models, materialized as table, materialized as tables, materialized as a table, materialised as tables, materialised as table, materialised as a table',
    condition('materialized', '=', 'table', 'model'),
  ],
  [
    'incremental, incremental model, incremental models',
    condition('materialized', '=', 'incremental', 'model'),
  ],
  ['ephemeral', condition('materialized', '=', 'ephemeral', 'model')],
  ['materialized view, materialized views', condition('materialized', '=', 'materialized_view', 'model')],
  ['public', condition('access', '=', 'public')],
  ['private', condition('access', '=', 'private')],
  ['protected', condition('access', '=', 'protected')],
  ['disabled, switched off, turned off', condition('enabled', '=', 'no')],

  ['tested', condition('tests', '>', '0')],
  [
    'untested, not tested, not tested yet, not yet tested, nobody tests, nobody tested, nobody has tested, no one tests, no one tested',
    condition('tests', '=', '0'),
  ],
  ['documented, described', condition('description', '=', 'yes')],
  [
    `undocumented, undescribed, not documented, not described, nobody documented, nobody described, nobody has documented,
    nobody has described, no one documented, no one has documented, needs documentation, need documentation, needs docs, need docs,
    needs a description, need a description, needs to be documented, need to be documented`,
    condition('description', '=', 'no'),
  ],
  ['used', condition('readers', '>', '0')],
  [
    `unused, dead, orphan, orphans, orphaned, not used, not used by anything, not used by anyone, not used anywhere, never used,
    never read, never read by any model, not read, not read by anything, not read by anyone, not read anywhere, nothing reads,
    nobody calls, no one calls, nothing calls, never called, not called, not called anywhere,
    nothing uses, nothing uses them, nothing reads them, nothing depends on, nothing needs, nobody reads, nobody uses, nobody needs, nobody depends on, no one reads,
    no one uses, no model reads, no model uses, no model depends on, does nobody read, does nobody use, does nothing read,
    does nothing use, does no one use, does no one read`,
    condition('readers', '=', '0'),
  ],

  ['read by no model, used by no model', condition('modelreaders', '=', '0')],
  ['test, tests, data test, data tests, single test, a single test', noun('tests')],
  ['description, descriptions, docs, documentation, doc', noun('description')],
  [
    'contract, contracts, contract enforced, contracts enforced, an enforced contract, enforced contracts, enforced contract',
    noun('contract'),
  ],
  ['freshness, freshness check, freshness checks, freshness test, freshness tests', noun('freshness')],
  ['personal', condition('personal', '=', 'yes')],
  ['personal data', noun('personal')],
  ['reader, readers, consumer, consumers', noun('readers')],
  ['parent, parents, direct parents', noun('parents')],
  [
    `primary key, primary keys, primary key test, primary key tests, tested primary key, a primary key test, primary-key test,
    pk test, pk tests, a pk test, a tested primary key`,
    noun('primarykey'),
  ],
  ['unique_key, unique_keys, unique key, unique keys, a unique_key, a unique key', noun('uniquekey')],
  ['child, children, direct children', noun('children')],
  ['downstream model, downstream models', noun('modelsdownstream')],

  [
    'most, the most, highest number of, the highest number of, largest number of, the largest number of',
    rank('most'),
  ],
  [
    'fewest, the fewest, least, the least, lowest number of, the lowest number of, smallest number of, the smallest number of',
    rank('fewest'),
  ],
  ['widest', rank('most', 'columns')],
  ['narrowest', rank('fewest', 'columns')],

  [
    'have, has, having, with, carry, carries, come with, contain, contains, containing, include, includes',
    { says: 'have' },
  ],
  [
    `without, no, with no, have no, has no, having no, zero, do not have, does not have, not have, have zero, with zero, belong to no,
    do not carry, do not yet have`,
    { says: 'lack' },
  ],
  ['lack, lacks, lacking, miss, misses, missing', { says: 'miss' }],
  ['neither, have neither, has neither, with neither', { says: 'neither' }],
  ['not', { says: 'not' }],
  // part of the word behind it: `non-incremental marts`
  ['non', { says: 'un' }],
  ['except, except for, excluding, other than, outside, outside of, apart from', { says: 'except' }],
  ['and, also, as well as', { says: 'and' }],
  ['or, nor', { says: 'or' }],
  ['that, ones, who, which also, that also, and also, but also, but', { says: 'that' }],

  ['tag, tags, tagged, tagged as, tagged with, tagged both', valueOf('tag')],
  ['group, groups, in group, belong to group', valueOf('group')],
  [
    'not in any group, not in a group, in no group, belong to no group, ungrouped',
    condition('group', '=', 'none'),
  ],
  ['untagged, not tagged at all', condition('tag', '=', 'none')],
  [
    `nobody owns, does nobody own, no one owns, does no one own, owned by nobody, owned by no one, not owned by anyone, unowned,
    ownerless, has no owner, have no owner`,
    condition('owner', '=', 'none'),
  ],
  [
    'with owners, with an owner, have owners, have an owner, has an owner, with any owner, have any owner',
    condition('owner', '!=', 'none'),
  ],
  [
    'with tags, with a tag, with any tag, have tags, have any tag, have any tags',
    condition('tag', '!=', 'none'),
  ],
  ['folder, directory', valueOf('folder')],
  ['owner, owners, owned by, own, owns', valueOf('owner')],
  ['schema', valueOf('schema')],
  ['column called, columns called, column named, columns named', valueOf('column')],
  ['called, named, are called, are named', valueOf('name')],
  [
    'read, reads, reading, use, uses, using, reference, references, referencing, select from, selects from, read from, reads from, directly read, directly reads, read directly from, directly use, directly uses',
    valueOf('reads'),
  ],
  [
    `depend on, depends on, depending on, rely on, relies on, relying on, built on, built from, built on top of, build on, builds on,
    based on, derive from, derives from, derived from, come from, comes from, downstream of`,
    valueOf('upstream'),
  ],
  [
    'use macro, use the macro, uses macro, uses the macro, using macro, using the macro, call macro, call the macro, calls macro, calls the macro, calling the macro',
    valueOf('macro'),
  ],
  ['used by, read by, referenced by, be used by, be read by, be referenced by', valueOf('readby')],
  [
    'feed, feeds, feeding, feed into, feeds into, flow into, flows into, upstream of, needed by, end up in, ends up in',
    valueOf('downstream'),
  ],

  ['more than, over, greater than', compare('>')],
  ['at least, no fewer than, no less than', compare('>', true)],
  ['fewer than, less than, under, below', compare('<')],
  ['at most, no more than, up to', compare('<', true)],
  ['exactly, only', compare('=')],
  ...'zero one two three four five six seven eight nine ten'
    .split(' ')
    .flatMap((word, number): readonly (readonly [string, Sense])[] =>
      number === 0 ? [] : [[word, { says: 'number', number }]],
    ),

  ...['unique', 'not_null', 'accepted_values', 'relationships'].map((name): readonly [string, Sense] => [
    name,
    { says: 'test', name },
  ]),
  ['relationship', { says: 'test', name: 'relationships' }],
]

/** The senses of all phrases; the last row that has a phrase counts. */
export const PHRASES: ReadonlyMap<string, Sense> = new Map(
  TABLE.flatMap(([phrases, sense]) =>
    phrases.split(',').map((phrase) => [phrase.trim().replaceAll(/\s+/g, ' '), sense] as const),
  ),
)

export const LONGEST_PHRASE: number = Math.max(
  ...[...PHRASES.keys()].map((phrase) => phrase.split(' ').length),
)

/** Words that are recognized with one wrong letter. No other English word is that close to them. */
export const SPELLED: readonly string[] =
  `which models model sources source untested undocumented description descriptions
  documentation documented staging intermediate incremental ephemeral exposures snapshots without unused tests disabled`.split(
    /\s+/,
  )
