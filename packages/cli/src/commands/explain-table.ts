import { explainLearned, type LearnedRule } from '@stagecraft/dbt'
import { type Explanation, StagecraftError } from '@stagecraft/spec'
import {
  type Explained,
  explainFromCatalog,
  explainFromLock,
  type Question,
} from '../project/explain-tables.ts'
import { explainJoins } from '../project/explain-joins.ts'
import { assertFollowed, type OpenProject, openProject } from '../project/open-project.ts'
import type { ModelFlags } from '../project/project-flags.ts'
import { withLearned } from '../project/learn-project.ts'
import { printExplained } from '../project/print-explanation.ts'
import { printRule } from '../project/print-rule.ts'
import { print } from '../terminal/print.ts'
import { openContext, openOffline } from './open-engine.ts'
import { withRows } from './plan.ts'
import { type Opened, withCatalog } from './shared-flags.ts'
import { withoutBuilt } from './without-built.ts'

export interface ExplainFlags extends ModelFlags {
  /** A folder in the project. */
  readonly projectDir: string
  readonly offline?: boolean
  readonly json?: boolean
}

/** Explains a model, a column or a source. */
export async function explainTable(wanted: string, flags: ExplainFlags): Promise<void> {
  const options = { ...(!flags.tests && { addTests: false }), ...(!flags.docs && { addDocs: false }) }
  const question = { wanted, type: flags.type, options }
  const project = await openProject(flags.projectDir, flags)
  const { found, rules } = flags.offline
    ? { found: await explainOffline(question, project, flags), rules: [] }
    : await explainOnline(question, project, flags)
  const all = found.kind === 'source' ? found.explanations : [found.explanation]
  const explained = withReasons(found, await explainJoins(all, project))
  if (flags.json) print(JSON.stringify(jsonOf(explained), null, 2))
  else {
    printExplained(explained)
    const fresh = rules.filter(({ isNew }) => isNew)
    if (fresh.length > 0) print('\nlearned settings:')
    fresh.forEach(printRule)
  }
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
  assertFollowed(project, '--offline')
  return explainFromLock(question, { project, context: await openOffline(flags, project), flags: {} })
}

/** What was explained, and the rules that were learned for it. */
interface Learned {
  readonly found: Explained
  readonly rules: readonly LearnedRule[]
}

async function explainOnline(
  question: Question,
  project: OpenProject,
  flags: ExplainFlags,
): Promise<Learned> {
  const work = async (given: Opened): Promise<Learned> => {
    const seen = await withRows(withoutBuilt(given, project), flags, project.root)
    const { rules, ...opened } = flags.learn ? await withLearned(seen, project) : { ...seen, rules: [] }
    const context = await openContext({ ...flags, backend: false }, opened, { project })
    const explained = await explainFromCatalog(question, opened, { project, context, flags: {} })
    const found = withReasons(explained, (explanation) => explainLearned(explanation, rules))
    return { found, rules }
  }
  try {
    return await withCatalog(flags, work, { project })
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
