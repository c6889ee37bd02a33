import {
  chooseRules,
  type ChosenRule,
  findRule,
  idOfModel,
  type Lineage,
  lint,
  type LintProject,
  lockOf,
  modelLineage,
  type Report,
} from '@stagecraft/analysis'
import {
  type Conventions,
  type FileTree,
  type IndexedModel,
  learnConventions,
  LOCK_FILE,
  readText,
} from '@stagecraft/dbt'
import { type Config, DIALECT_NAMES } from '@stagecraft/spec'

/** A dbt project as tools see it: read from files; nothing is run or written. */
export interface ProjectView {
  readonly project: LintProject
  /** The relations of the project and their reads. */
  readonly lineage: Lineage
  /** The models, seeds and snapshots that dbt builds, by the ids of `lineage`. */
  readonly models: ReadonlyMap<string, IndexedModel>
  /** Returns the findings of lint. */
  readonly report: () => Report
  /** Returns the tests that the raw tables suggest and the project lacks. */
  readonly lackingTests: () => Report
  /**
   * Creates the view of the project with other texts for some files, by path; undefined if the project cannot be read
   * again.
   */
  readonly withTexts: ((texts: ReadonlyMap<string, string>) => Promise<ProjectView>) | undefined
  /** The conventions of the project; undefined without its files. */
  readonly conventions: (() => Promise<Conventions>) | undefined
  /** The `stagecraft.yml` of the project. */
  readonly config: Config
  /** The text of `stagecraft.yml`; undefined without one. */
  readonly configText: string | undefined
}

export interface ProjectViewOptions {
  /** The rules of `check_project`. @default the default rules */
  readonly rules?: readonly ChosenRule[]
  /** Reads the project with other texts for some files. @default tools that propose refuse */
  readonly read?: (texts: ReadonlyMap<string, string>) => Promise<LintProject>
  /** The files of the project, for its conventions. @default unknown conventions */
  readonly tree?: FileTree
  /** @default none */
  readonly config?: Config
  /** The text of `stagecraft.yml`, for the lines of its settings. @default none */
  readonly configText?: string | undefined
}

/** The rules whose findings suggest tests. */
const TEST_RULES = ['untested-key', 'untested-not-null', 'untested-reference', 'untested-values']

/** Creates the view of a project. Each report is made on first use. */
export function projectView(
  project: LintProject,
  { config = {}, configText, read, rules = chooseRules(), tree }: ProjectViewOptions = {},
): ProjectView {
  const lineage = modelLineage(project)
  const built = new Set(lineage.nodes.map(({ id }) => id))
  const check = (chosen: readonly ChosenRule[]): Report => lint(project, { rules: chosen, findRule })
  return {
    project,
    lineage,
    models: new Map(
      project.index.models.map((model) => [idOfModel(model), model] as const).filter(([id]) => built.has(id)),
    ),
    report: once(() => check(rules)),
    lackingTests: once(() => check(chooseRules({ select: TEST_RULES }))),
    withTexts:
      read &&
      (async (texts) =>
        projectView(await read(texts), { config, configText, read, rules, ...(tree && { tree }) })),
    conventions: tree && once(() => conventionsOf(project, { config, tree })),
    config,
    configText,
  }
}

/** Unchanged models of Stagecraft say nothing about the conventions of people. */
async function conventionsOf(
  { dialect, index }: LintProject,
  { config, tree }: { readonly config: Config; readonly tree: FileTree },
): Promise<Conventions> {
  const lock = lockOf(await readText(tree, LOCK_FILE))
  const locked = [...(lock?.values() ?? [])]
  const own = new Set(locked.map(({ model }) => `${model.path} ${model.sha256}`))
  return learnConventions(
    { tree, index },
    locked.map(({ item }) => item.table),
    {
      dialect: DIALECT_NAMES.find((name) => name === dialect.name) ?? 'duckdb',
      config,
      isOwn: (path, hash) => own.has(`${path} ${hash}`),
    },
  )
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
