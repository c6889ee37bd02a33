import { z } from '../zod.ts'
import { idField, jobFields, jobQuery, listOf, pageQuery, searchField } from './fields.ts'
import type { Operation } from './operation.ts'
import { pushMessage, pushSchema } from './pushes.ts'

const count = z.int().nonnegative()
const score = z.int().min(0).max(100)

const SEVERITIES = ['error', 'warning', 'info'] as const
const FINDING_STATES = ['new', 'unchanged', 'fixed'] as const

/** The maximum length of an archive in base64. A request has at most a megabyte. */
const LONGEST_ARCHIVE = 1_000_000

const folder = z
  .string()
  .min(1)
  .max(500)
  .describe('The folder of `dbt_project.yml`; `.` is the root. Default: the only `dbt_project.yml`.')

const ruleNames = z.array(z.string().min(1).max(100)).min(1).max(100)

export const uncheckedSchema = z.object({
  rule: z.string().describe('The id of the rule.'),
  reason: z.string().describe('The reason why it could not check them.'),
  subjects: count.describe('The number of models, sources or files.'),
  names: z.array(z.string()).describe('The first five of them.'),
})

export const analysisSchema = z.object({
  id: idField('anl'),
  origin: z.enum(['repository', 'archive']).describe('The place that the project was read from.'),
  branch: z
    .string()
    .optional()
    .describe(
      'The branch to read. Default: the branch of the project, otherwise the default branch of its repository.',
    ),
  path: folder.optional(),
  ...jobFields,
  progress: z
    .object({ step: z.enum(['reading', 'checking', 'storing']).describe('The current step.') })
    .optional()
    .describe('The progress of a running analysis.'),
  commit: z.string().optional().describe('The commit that was read.'),
  folder: z.string().optional().describe('The folder of the dbt project; empty for the root.'),
  files: count.optional().describe('The number of files that were read.'),
  models: count.optional().describe('The number of models, seeds and snapshots.'),
  score: z
    .object({
      total: score.describe('The percentage of files without findings.'),
      groups: z.record(z.string(), score).describe('The same for each group of rules.'),
    })
    .optional()
    .describe('The score. An error costs a whole file, a warning half of it, an info a tenth.'),
  findings: z
    .object({
      error: count.describe('Errors.'),
      warning: count.describe('Warnings.'),
      info: count.describe('Notes.'),
      new: count.describe('Findings that the previous analysis did not have.'),
      unchanged: count.describe('Findings that it also had.'),
      fixed: count.describe('Findings that only the previous analysis had.'),
    })
    .optional()
    .describe(
      'The numbers of findings; present once it is completed. Fixed findings do not count for any severity.',
    ),
  unlisted: count.optional().describe('Findings beyond the 10,000 that are kept.'),
  suppressed: count.optional().describe('Findings that are suppressed in the project.'),
  unchecked: count.optional().describe('Things that rules could not check.'),
})

export const analysisDetailSchema = analysisSchema.extend({
  notChecked: z
    .array(uncheckedSchema)
    .optional()
    .describe('Things that rules could not check, by rule and reason; at most 200.'),
})

export const findingSchema = z.object({
  rule: z.string().describe('The id of the rule: `SC308`.'),
  name: z.string().describe('Its name: `missing-reference`.'),
  group: z.string().describe('Its group: `properties`.'),
  severity: z.enum(SEVERITIES).describe('The severity of the finding.'),
  state: z
    .enum(FINDING_STATES)
    .describe(
      'The state compared with the previous analysis of the same branch, or of the previous archive.',
    ),
  message: z.string().describe('The problem.'),
  help: z.string().describe('The remedy.'),
  path: z.string().describe('Relative to the dbt project.'),
  start: z
    .object({ line: count.describe('From 1.'), column: count.describe('From 1, in UTF-16 units.') })
    .describe('The position of the first character.'),
  end: z
    .object({ line: count.describe('From 1.'), column: count.describe('From 1, in UTF-16 units.') })
    .describe('The position after the last character.'),
  text: z.string().describe('The line of `start`, of at most 400 characters.'),
  subject: z
    .object({
      kind: z.string().describe('`model`, `source`, `file` and so on.'),
      name: z.string().describe('Its name.'),
      detail: z.string().optional().describe('A column, or a reference.'),
    })
    .describe('The subject of the finding.'),
  fix: z
    .object({
      safety: z.enum(['safe', 'unsafe']).describe('`unsafe` fixes need a review by a person.'),
      summary: z.string().describe('A summary of the fix.'),
    })
    .optional()
    .describe('Present if `stagecraft lint --fix` can fix it.'),
  fingerprint: z.string().describe('Stays the same when lines move and files are renamed.'),
})

const createBody = z.strictObject({
  branch: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The branch to read. Default: the branch of the project, otherwise the default branch of its repository.',
    ),
  path: folder.optional(),
  archive: z
    .string()
    .min(1)
    .max(LONGEST_ARCHIVE)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'expected base64')
    .optional()
    .describe(
      'A zip file in base64, of at most 750,000 bytes, to read in place of the repository. It is not stored. Only SQL, Python, YAML, Markdown and CSV files are read.',
    ),
  select: ruleNames
    .optional()
    .describe('The rules to check, by id, name or group. Default: all rules that are on.'),
  ignore: ruleNames.optional().describe('The rules to skip, by id, name or group.'),
})

const fixBody = z.strictObject({
  branch: z.string().min(1).max(200).describe('The branch to push to.'),
  message: pushMessage
    .optional()
    .describe('The message of the commit. Default: one that names the analysis.'),
  rules: z
    .array(z.string().regex(/^SC\d{1,4}$/, 'expected the id of a rule'))
    .min(1)
    .max(100)
    .optional()
    .describe('Only fixes of these rules, by their ids. Default: all.'),
  unsafe: z
    .boolean()
    .optional()
    .describe('Include fixes that may change what dbt builds. A person must review them. Default false.'),
  dryRun: z
    .boolean()
    .optional()
    .describe('Plan only: nothing is committed, and there is no event. Default false.'),
})

const findingQuery = pageQuery.extend({
  rule: z.string().min(1).max(100).optional().describe('Only findings of this rule, by its id or name.'),
  severity: z.enum(SEVERITIES).optional().describe('Only findings of this severity.'),
  state: z.enum(FINDING_STATES).optional().describe('Only findings in this state.'),
  path: z.string().min(1).max(1000).optional().describe('Only findings in this file or folder.'),
  search: searchField('their message, path or subject'),
})

export const ANALYSIS_OPERATIONS = {
  createAnalysis: {
    method: 'POST',
    path: '/v1/projects/{projectId}/analyses',
    scope: 'write',
    summary: 'Check the dbt project of the Git repository, or of an archive, against rules, as a job',
    description:
      'Reads one commit of the repository without a working tree, or the files of a zip archive, and runs none of their code: neither dbt nor macros. `stagecraft.yml` of the project sets rules and suppressions. Links, absolute paths and paths upwards in an archive are refused, and so are more than 64 MB of text or 20,000 files. A failed analysis has the reason in `error`.',
    body: createBody,
    isBodyOptional: true,
    examples: { short: {}, branch: { branch: 'main', path: 'warehouse', ignore: ['SC401'] } },
    data: analysisSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/analyses/{id}',
  },
  listAnalyses: {
    method: 'GET',
    path: '/v1/projects/{projectId}/analyses',
    scope: 'read',
    summary: 'List the analyses of a project with their scores',
    query: jobQuery.extend({
      branch: z.string().min(1).max(200).optional().describe('Only analyses of this branch.'),
    }),
    data: listOf(analysisSchema),
    isList: true,
  },
  getAnalysis: {
    method: 'GET',
    path: '/v1/projects/{projectId}/analyses/{analysisId}',
    scope: 'read',
    summary: 'Get an analysis with its summary and the parts that could not be checked',
    data: analysisDetailSchema,
  },
  cancelAnalysis: {
    method: 'POST',
    path: '/v1/projects/{projectId}/analyses/{analysisId}/cancel',
    scope: 'write',
    summary: 'Stop an analysis that has not finished',
    data: analysisSchema,
  },
  fixAnalysis: {
    method: 'POST',
    path: '/v1/projects/{projectId}/analyses/{analysisId}/fixes',
    scope: 'write',
    summary: 'Push fixes for the findings of an analysis of the repository, as a job',
    description:
      'The answer is a push, as for units. The branch is checked again with the rules of the analysis, and those findings are fixed: pieces of text are replaced, and every other byte stays the same. A new branch starts from the analyzed one. The push is `unchanged` if there is nothing to fix.',
    body: fixBody,
    examples: { short: { branch: 'stagecraft-fixes' } },
    data: pushSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/pushes/{id}',
  },
  listFindings: {
    method: 'GET',
    path: '/v1/projects/{projectId}/analyses/{analysisId}/findings',
    scope: 'read',
    summary: 'List the findings of an analysis by file and line',
    description: 'Findings are kept for the 10 newest analyses of a branch.',
    query: findingQuery,
    data: listOf(findingSchema),
    isList: true,
  },
} as const satisfies Record<string, Operation>

export type FindingState = (typeof FINDING_STATES)[number]
export type FindingSeverity = (typeof SEVERITIES)[number]
