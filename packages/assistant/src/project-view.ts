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

/** A dbt project as tools see it: everything in it was read from files, and nothing of it is run or written. */
export interface ProjectView {
  readonly project: LintProject
  /** The relations of the project, and which reads which. */
  readonly lineage: Lineage
  /** The models, seeds and snapshots that dbt builds, by the ids of `lineage`. */
  readonly models: ReadonlyMap<string, IndexedModel>
  /** Returns what lint reports. */
  readonly report: () => Report
  /** Returns the tests that the raw tables call for and that nobody wrote. */
  readonly lackingTests: () => Report
  /** Looks at the project as it were with other texts in place of files, by path; undefined where nothing can be read again. */
  readonly withTexts: ((texts: ReadonlyMap<string, string>) => Promise<ProjectView>) | undefined
  /** The conventions that the project follows; undefined where no tree was given. */
  readonly conventions: (() => Promise<Conventions>) | undefined
  /** The `stagecraft.yml` of the project. */
  readonly config: Config
  /** Its text; undefined when there is none. */
  readonly configText: string | undefined
}

export interface ProjectViewOptions {
  /** The rules of `check_project`. @default those that are on without a configuration */
  readonly rules?: readonly ChosenRule[]
  /** Reads the project with other texts in place of files. @default tools that propose refuse */
  readonly read?: (texts: ReadonlyMap<string, string>) => Promise<LintProject>
  /** The files of the project, for its conventions. @default they are not known */
  readonly tree?: FileTree
  /** @default none */
  readonly config?: Config
  /** The text of `stagecraft.yml`, for the lines of its settings. @default none */
  readonly configText?: string | undefined
}

/** The rules whose findings are tests that could be added. */
const TEST_RULES = ['untested-key', 'untested-not-null', 'untested-reference', 'untested-values']

/** Looks at a project. Each report is made when it is first asked for. */
export function projectView(
  project: LintProject,
  { config = {}, configText, read, rules = chooseRules(), tree }: ProjectViewOptions = {},
): ProjectView {
  const lineage = modelLineage(project)
  const built = new Set(lineage.nodes.map(({ id }) => id))
  const check = (chosen: readonly ChosenRule[]): Report =>
    lint(project, { rules: chosen, isRule: (id) => findRule(id) !== undefined })
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

/** Models that Stagecraft wrote and nobody changed teach nothing. */
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
