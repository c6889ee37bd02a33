import { StagecraftError } from '@stagecraft/spec'
import { type Kind, KINDS } from '../plan/kinds.ts'
import type { Plan, SnapshotPlan } from '../plan/plan.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { compareYaml } from '../verify/yaml-contains.ts'
import { modelEntry } from './model-entry.ts'
import { selectGroups } from './select-list.ts'
import { sourceTrees } from './source-entries.ts'
import type { TemplateCheck, Templates } from './templates.ts'

/** What prints plans. */
export interface Renderer {
  readonly templates: Templates
  readonly profile: YamlProfile
}

/** The SQL of a model. */
export function renderModel(plan: Plan, { profile, templates }: Renderer): string {
  const { template } = KINDS[plan.kind]
  const data = modelData(plan, profile)
  const sql = templates.render(template, data)
  return verified(sql, templates.check && sqlFault(sql, template, data, templates.check), template, plan)
}

function modelData(plan: Plan, profile: YamlProfile): object {
  const name = plan.rows.deduplicate ? 'deduplicated' : 'source'
  return {
    plan,
    groups: selectGroups(plan),
    rows: plan.rows.where === undefined ? name : 'active',
    uniqueKey: plan.snapshot && snapshotKey(plan.snapshot, profile),
    needsTargetSchema: profile.snapshotsNeedSchema,
  }
}

function sqlFault(
  sql: string,
  template: Kind['template'],
  data: object,
  { reference, sql: check }: TemplateCheck,
): string | undefined {
  const fault = check?.(sql)
  const isJudge = fault === undefined || check?.(reference.render(template, data)) === undefined
  return isJudge && fault !== undefined ? `the SQL cannot be parsed: ${fault}` : undefined
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
  return verified(yaml, templates.check && compareYaml(yaml, { [list]: entries }), 'models.yml', plans[0])
}

/** The YAML of the sources that models read. */
export function renderSourceYaml(plans: readonly Plan[], { profile, templates }: Renderer): string {
  const sources = sourceTrees(plans, profile)
  const yaml = templates.render('sources.yml', {
    sources,
    plans,
    docs: plans.some(({ style }) => style.docs),
  })
  const planned = sources.map(({ entry, tables }) => ({ ...entry, tables }))
  return verified(yaml, templates.check && compareYaml(yaml, { sources: planned }), 'sources.yml', plans[0])
}

/** What the user's own template printed leaves only when it says what was planned. */
function verified(text: string, fault: string | undefined, template: string, plan: Plan | undefined): string {
  if (fault === undefined) return text
  const message = `template ${template} printed something else for ${plan?.model.name ?? 'nothing'} than was planned: ${fault}`
  throw new StagecraftError('GENERATION_FAILED', message, { details: { template, reason: fault } })
}
