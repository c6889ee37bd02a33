import {
  diskProposals,
  harmOf,
  insideTree,
  type Proposal,
  proposalChanges,
  projectView,
  staleProposal,
} from '@stagecraft/assistant'
import { type FileChange, isChange, readText, writeChanges } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { applyPlan, type ApplyOptions } from '../project/apply-plan.ts'
import { chooseProject } from '../files/choose-project.ts'
import { openLintRun } from '../project/lint-run.ts'
import { openProject, type OpenProject } from '../project/open-project.ts'
import { planAgain } from '../project/plan-model.ts'
import type { ProjectFlags } from '../project/project-flags.ts'

/** Applies proposals one after another, each all or nothing, and removes the applied ones. */
export async function applyProposals(
  ids: readonly string[],
  flags: ProjectFlags & ApplyOptions,
): Promise<readonly { readonly proposal: Proposal; readonly written: readonly FileChange[] }[]> {
  const { root } = await chooseProject([], flags.projectDir)
  const proposals = diskProposals(root, { createdBy: 'assistant' })
  const chosen = ids.map((id) => proposals.read(id))
  const applied = []
  for (const proposal of chosen) {
    const project = await openProject(flags.projectDir, { ...flags, writes: true })
    const written = proposal.items
      ? await applyModel(proposal, proposal.items, { project, flags })
      : await applyTexts(proposal, { project, flags })
    proposals.discard(proposal.id)
    applied.push({ proposal, written })
  }
  return applied
}

interface Applying {
  readonly project: OpenProject
  readonly flags: ProjectFlags & ApplyOptions
}

/** Plans the model again. The result must equal the proposal byte for byte. */
async function applyModel(
  proposal: Proposal,
  items: readonly string[],
  { flags, project }: Applying,
): Promise<readonly FileChange[]> {
  await checkedChanges(proposal, project)
  const plan = await planAgain(items, project, flags)
  const planned = new Map(plan.files.filter(isChange).map(({ after, path }) => [path, after ?? null]))
  const proposed = new Map(proposal.files.map(({ after, path }) => [path, after]))
  const other = [...new Set([...planned.keys(), ...proposed.keys()])].filter(
    (path) => planned.get(path) !== proposed.get(path),
  )
  if (other.length > 0) throw staleProposal(proposal.id, other)
  return applyPlan(plan, project, flags)
}

/** Writes the files, if the project stays readable and lint finds no new error. */
async function applyTexts(proposal: Proposal, { flags, project }: Applying): Promise<readonly FileChange[]> {
  const changes = await checkedChanges(proposal, project)
  const { config, dialect } = flags
  const chosen = await chooseProject([], flags.projectDir)
  const run = await openLintRun(
    chosen,
    { ...(config !== undefined && { config }), ...(dialect && { dialect }) },
    { tree: insideTree(project.root) },
  )
  const texts = new Map(
    changes.flatMap(({ after, path }) => (after === undefined ? [] : [[path, after] as const])),
  )
  const { rules } = run
  const harm = harmOf(
    projectView(await run.read(new Map()), { rules }),
    projectView(await run.read(texts), { rules }),
  )
  if (harm.length > 0)
    throw new StagecraftError(
      'INVALID_REQUEST',
      `nothing was written: ${proposal.id} would break the project: ${harm.slice(0, 5).join('; ')}`,
      { details: { proposal: proposal.id, harm } },
    )
  writeChanges(project.root, changes)
  project.texts.addWritten(changes.flatMap(({ after }) => after ?? []))
  return changes.filter(({ after, before }) => after !== before)
}

function checkedChanges(proposal: Proposal, { tree }: OpenProject): Promise<readonly FileChange[]> {
  return proposalChanges(proposal, { read: (path) => readText(tree, path), now: Date.now() })
}
