import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chooseRules, readLintProject } from '@stagecraft/analysis'
import { diskProposals, insideTree, type ProjectView, projectView, TOOLS } from '@stagecraft/assistant'
import { withTexts } from '@stagecraft/dbt'
import { StagecraftError, type Table } from '@stagecraft/spec'
import { applyProposals } from '../../../packages/cli/src/commands/apply-proposal.ts'
import { modelPlanner } from '../../../packages/cli/src/project/plan-model.ts'
import { findDbt, runDbt, writeProject } from '../../dbt/dbt.ts'
import type { World } from './made-world.ts'

/** A change to propose. */
interface Wish {
  readonly title: string
  readonly tool: string
  readonly input: (view: ProjectView) => Promise<object>
}

export interface ProposalScore {
  readonly title: string
  /** The reason why it is not good; undefined for one that was applied, has no new error of lint, and is read by dbt. */
  readonly fault: string | undefined
}

const COUNTS = { fixes: 6, descriptions: 11, models: 3 }

function wishesOf({ name: source, relations }: World): readonly Wish[] {
  const models = relations.filter(({ kind }) => kind === 'model')
  const fixes = models
    .filter(({ missingTests }) => missingTests.length > 0)
    .map(({ name }): Wish => ({
      title: `tests of ${name}`,
      tool: 'propose_fix',
      input: async (view) => {
        const found = await TOOLS.find((tool) => tool.name === 'suggest_tests')?.call(view, { id: name })
        return { findings: found?.items.map(({ id }) => id) }
      },
    }))
  const descriptions = models
    .filter(({ isDescribed }) => !isDescribed)
    .map(({ columns, name }): Wish => ({
      title: `description of ${name}`,
      tool: 'propose_properties',
      input: () =>
        Promise.resolve({
          edits: [
            { id: name, description: 'One row per event of the source system.' },
            ...[...(columns?.keys() ?? [])]
              .slice(0, 1)
              .map((column) => ({ id: `${name}.${column}`, tests: [{ name: 'not_null' }] })),
          ],
        }),
    }))
  const unread = relations.filter(
    ({ id, kind }) => kind === 'source' && !relations.some(({ parents }) => parents.includes(id)),
  )
  const staged = unread.map(({ name }): Wish => ({
    title: `staging model of ${name}`,
    tool: 'propose_model',
    input: () => Promise.resolve({ source: name, description: `One row per entry of ${source}.` }),
  }))
  return [
    ...fixes.slice(0, COUNTS.fixes),
    ...descriptions.slice(0, COUNTS.descriptions),
    ...staged.slice(0, COUNTS.models),
  ]
}

/** Makes proposals in copies of the projects, one after the other, applies each, and looks at what became of it. */
export async function scoreProposals(worlds: readonly World[]): Promise<readonly ProposalScore[]> {
  const scores: ProposalScore[] = []
  for (const world of worlds) {
    const root = mkdtempSync(join(tmpdir(), 'stagecraft-bench-'))
    try {
      const tables = await writeWorld(world, root)
      for (const wish of wishesOf(world))
        scores.push({ title: wish.title, fault: await faultOf(wish, { root, tables }) })
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
  return scores
}

async function writeWorld({ files }: World, root: string): Promise<readonly Table[]> {
  await writeProject(root, { type: 'duckdb', path: join(root, 'dev.duckdb') })
  const { 'raw-tables.json': raw = '[]', 'former-tables.json': _, ...own } = files
  for (const [path, text] of Object.entries(own)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  writeFileSync(join(root, 'raw.json'), raw)
  return JSON.parse(raw) as readonly Table[]
}

interface Place {
  readonly root: string
  readonly tables: readonly Table[]
}

async function openView({ root, tables }: Place): Promise<ProjectView> {
  const tree = insideTree(root)
  const read = (texts: ReadonlyMap<string, string>) =>
    readLintProject(withTexts(tree, texts), { structure: true, tables })
  return projectView(await read(new Map()), { read, rules: chooseRules(), tree })
}

async function faultOf({ input, tool: name }: Wish, place: Place): Promise<string | undefined> {
  const { root } = place
  const view = await openView(place)
  const before = errorsOf(view)
  try {
    const tool = TOOLS.find((one) => one.name === name)
    const ports = {
      proposals: diskProposals(root, { createdBy: 'assistant' }),
      planner: modelPlanner(root, { catalog: join(root, 'raw.json'), dialect: 'duckdb' }),
    }
    const result = await tool?.call(view, await input(view), ports)
    const flags = { projectDir: root, type: 'staging', tests: true, docs: true } as const
    const applied = await applyProposals([String(result?.['proposal'])], flags)
    if (applied.every(({ written }) => written.length === 0)) return 'nothing was written'
  } catch (error) {
    if (error instanceof StagecraftError) return error.message
    throw error
  }
  const more = [...errorsOf(await openView(place))].filter((one) => !before.has(one))
  if (more.length > 0) return `lint: ${more.join('; ')}`
  const dbt = findDbt('dbt-1')
  if (!dbt) return undefined
  const { code, output } = await runDbt(dbt, root, ['parse'])
  return code === 0 ? undefined : `dbt: ${output.slice(-500)}`
}

function errorsOf(view: ProjectView): ReadonlySet<string> {
  return new Set(
    view
      .report()
      .findings.flatMap(({ fingerprint, severity }) => (severity === 'error' ? [fingerprint] : [])),
  )
}

/** Says who judged. */
export function judges(): string {
  return findDbt('dbt-1') ? 'lint and dbt 1' : 'lint alone: dbt is not installed (test/dbt/install.sh)'
}
