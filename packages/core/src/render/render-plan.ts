import { StagecraftError } from '@stagecraft/spec'
import { KINDS } from '../plan/kinds.ts'
import type { Plan, SnapshotPlan } from '../plan/plan.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { compareYaml } from '../verify/yaml-contains.ts'
import { modelEntry } from './model-entry.ts'
import { selectGroups } from './select-list.ts'
import { sourceTrees } from './source-entries.ts'
import type { Templates } from './templates.ts'

/** What prints plans. */
export interface Renderer {
  readonly templates: Templates
  readonly profile: YamlProfile
}

/** The SQL of a model. */
export function renderModel(plan: Plan, { profile, templates }: Renderer): string {
  const name = plan.rows.deduplicate ? 'deduplicated' : 'source'
  const { template } = KINDS[plan.kind]
  const sql = templates.render(template, {
    plan,
    groups: selectGroups(plan),
    rows: plan.rows.where === undefined ? name : 'active',
    uniqueKey: plan.snapshot && snapshotKey(plan.snapshot, profile),
    needsTargetSchema: profile.snapshotsNeedSchema,
  })
  return verified(sql, templates.custom && templates.checkSql?.(sql), template, plan)
}

function snapshotKey(
  { joinedKey, uniqueKey }: SnapshotPlan,
  profile: YamlProfile,
): string | readonly string[] {
  if (uniqueKey.length === 1 && uniqueKey[0] !== undefined) return uniqueKey[0]
  return profile.snapshotKeyLists ? uniqueKey : joinedKey
}

/** The YAML of models that share a file. All are of kinds that share a list. */
export function renderModelYaml(plans: readonly Plan[], { profile, templates }: Renderer): string {
  const list = KINDS[plans[0]?.kind ?? 'staging'].yamlList
  const entries = plans.map((plan) => modelEntry(plan, profile))
  const yaml = templates.render('models.yml', { list, entries, plans })
  return verified(yaml, templates.custom && compareYaml(yaml, { [list]: entries }), 'models.yml', plans[0])
}

/** The YAML of the sources that models read. */
export function renderSourceYaml(plans: readonly Plan[], { profile, templates }: Renderer): string {
  const sources = sourceTrees(plans, profile)
  const yaml = templates.render('sources.yml', { sources, plans })
  const planned = sources.map(({ entry, tables }) => ({ ...entry, tables }))
  return verified(yaml, templates.custom && compareYaml(yaml, { sources: planned }), 'sources.yml', plans[0])
}

/** What the user's own template printed leaves only when it says what was planned. */
function verified(
  text: string,
  fault: string | false | undefined,
  template: string,
  plan: Plan | undefined,
): string {
  if (fault === undefined || fault === false) return text
  const message = `what template ${template} printed for ${plan?.model.name ?? 'nothing'} ${fault}`
  throw new StagecraftError('GENERATION_FAILED', message, { details: { template, reason: fault } })
}
