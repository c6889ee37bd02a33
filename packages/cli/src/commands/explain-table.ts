import { explainLearned } from '@stagecraft/dbt'
import { type Explanation, StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import {
  type Explained,
  explainFromCatalog,
  explainFromLock,
  type Question,
} from '../project/explain-tables.ts'
import { explainJoins } from '../project/explain-joins.ts'
import { knownProject, type OpenProject, openProject } from '../project/open-project.ts'
import { withLearned } from '../project/learn-project.ts'
import { printExplained } from '../project/print-explanation.ts'
import { print } from '../terminal/print.ts'
import type { ExplainFlags } from './explain.ts'
import { openContext } from './open-engine.ts'
import { withRows } from './plan.ts'
import { withCatalog } from './shared-flags.ts'

/** By default everything that is known is generated; flags switch parts off. */
const DEFAULTS = { addTests: true, addDocs: true }

/** Explains a model, a column or a source. */
export async function explainTable(wanted: string, flags: ExplainFlags): Promise<void> {
  const options = { ...(!flags.tests && { addTests: false }), ...(!flags.docs && { addDocs: false }) }
  const question = { wanted, type: flags.type, options }
  const project = await openProject(flags.projectDir)
  const found = flags.offline
    ? await explainOffline(question, project, flags)
    : await explainOnline(question, project, flags)
  const all = found.kind === 'source' ? found.explanations : [found.explanation]
  const explained = withReasons(found, await explainJoins(all, project))
  if (flags.json) print(JSON.stringify(jsonOf(explained), null, 2))
  else printExplained(explained)
}

function jsonOf(explained: Explained): unknown {
  return explained.kind === 'source' ? explained.explanations : explained.explanation
}

/** Adds reasons to each explanation. */
function withReasons(explained: Explained, add: (explanation: Explanation) => Explanation): Explained {
  return explained.kind === 'source'
    ? { ...explained, explanations: explained.explanations.map(add) }
    : { ...explained, explanation: add(explained.explanation) }
}

async function explainOffline(
  question: Question,
  project: OpenProject,
  flags: ExplainFlags,
): Promise<Explained> {
  if (project.lock.size === 0) {
    throw StagecraftError.invalid(
      {
        path: '--offline',
        expected: 'a project with a stagecraft.lock that follows tables',
        received: `${project.root}, which has none`,
      },
      { suggestion: 'stagecraft apply writes it' },
    )
  }
  const { config, folder: configFolder } = await loadConfig(flags.config, project.root)
  const place = { folder: project.root, defaults: DEFAULTS, known: await knownProject(project) }
  const context = await openContext({ ...flags, backend: false }, { config, configFolder }, place)
  return explainFromLock(question, { project, context, flags })
}

async function explainOnline(
  question: Question,
  project: OpenProject,
  flags: ExplainFlags,
): Promise<Explained> {
  try {
    return await withCatalog({ ...flags, out: flags.projectDir }, async (given) => {
      const seen = await withRows(given, flags, project.root)
      const { rules, ...opened } = flags.learn
        ? await withLearned(seen, project.root)
        : { ...seen, rules: [] }
      const place = { folder: project.root, defaults: DEFAULTS, known: await knownProject(project) }
      const context = await openContext({ ...flags, backend: false }, opened, place)
      const explained = await explainFromCatalog(question, opened, { project, context, flags })
      return withReasons(explained, (explanation) => explainLearned(explanation, rules))
    })
  } catch (error) {
    const isOut = error instanceof StagecraftError && error.code === 'CONNECTION_FAILED'
    if (!isOut || project.lock.size === 0) throw error
    throw new StagecraftError(error.code, error.message, {
      cause: error,
      details: {
        ...error.details,
        suggestion: '--offline explains from stagecraft.lock, without a warehouse',
      },
    })
  }
}
