import { ERROR_CODES, WARNINGS, warningSchema } from '@stagecraft/spec'
import {
  API_OPERATIONS,
  API_SCHEMAS,
  DELIVERY_STATES,
  EVENT_KIND_NAMES,
  JOB_STATES,
  type Operation,
  SCOPES,
  storedGenerationRequestSchema,
} from '@stagecraft/spec/api'
import { CHANGE_KIND_NAMES } from '../../packages/spec/src/api/changes.ts'
import { comparedSchema } from '../../packages/spec/src/api/generations.ts'
import { unitFilter } from '../../packages/spec/src/api/units.ts'
import { SUGGESTION_KINDS } from '../../packages/spec/src/api/scans.ts'
import { TALK_EVENTS } from '../../packages/spec/src/api/assistant-schemas.ts'
import { plannedPushSchema } from '../../packages/spec/src/api/pushes.ts'
import { TYPE_OPTIONS, TYPES } from './entries.ts'
import type { OtherType, PrintOptions, TypeEntry, TypeMap } from './print-types.ts'

const { Analysis, Connection, Message, Proposal, Finding, Generation, Project, Push, PushPlan, Scan } =
  API_SCHEMAS
const { options: storedOptions } = storedGenerationRequestSchema.shape
const { git: gitInput } = API_OPERATIONS.createProject.body.shape

/** The resources of `/v1` and their parts, with the comments above them. */
export const API_TYPES: readonly TypeEntry[] = [
  {
    name: 'StoredGenerationRequest',
    schema: storedGenerationRequestSchema,
    doc: 'The request of `POST /generate` of a service with a store.',
  },
  {
    name: 'StoredGenerationOptions',
    schema: storedOptions.unwrap(),
    doc: 'The options of a generation, and the place where its columns come from.',
  },
  { name: 'GitSettings', schema: Project.shape.git.unwrap(), doc: 'The target of pushes.' },
  {
    name: 'GitInput',
    schema: gitInput.unwrap(),
    doc: 'The target of pushes, with the credentials to store.',
  },
  {
    name: 'ConnectionOutcome',
    schema: Connection.shape.lastTest.unwrap(),
    doc: 'The result of the last test of a connection.',
  },
  { name: 'ScanProgress', schema: Scan.shape.progress.unwrap(), doc: 'The progress of a scan, in tables.' },
  {
    name: 'AskedBy',
    schema: Generation.shape.askedBy.unwrap(),
    doc: 'The request that asked for a generation.',
  },
  { name: 'FileRecord', schema: Generation.shape.files.unwrap().element, doc: 'A generated file.' },
  {
    name: 'BatchProgress',
    schema: Generation.shape.units.unwrap(),
    doc: 'The progress of a batch, in units.',
  },
  {
    name: 'ProjectResource',
    schema: API_SCHEMAS.Project,
    doc: 'A project: settings, units and keys of a team.',
  },
  {
    name: 'ProjectConfig',
    schema: API_SCHEMAS.ProjectConfig,
    doc: 'The part of a `stagecraft.yml` that a project can have.',
  },
  { name: 'KeyResource', schema: API_SCHEMAS.Key, doc: 'A key of a project, without its secret.' },
  { name: 'KeySecret', schema: API_SCHEMAS.KeySecret, doc: 'A key that was just created.' },
  { name: 'AuditEntry', schema: API_SCHEMAS.AuditEntry, doc: 'A change that a key made.' },
  { name: 'SessionResource', schema: API_SCHEMAS.Session, doc: 'The key that a call is made with.' },
  { name: 'ConnectionResource', schema: API_SCHEMAS.Connection, doc: 'A connection to a catalog.' },
  {
    name: 'ConnectionTest',
    schema: API_SCHEMAS.ConnectionTest,
    doc: 'The outcome of a test of a connection.',
  },
  { name: 'ScanResource', schema: API_SCHEMAS.Scan, doc: 'A catalog that is read into the store.' },
  { name: 'ScanChanges', schema: API_SCHEMAS.ScanChanges, doc: 'The difference between two scans.' },
  { name: 'SourceResource', schema: API_SCHEMAS.Source, doc: 'A table that scans found.' },
  {
    name: 'SuggestionRecord',
    schema: API_SCHEMAS.Suggestion,
    doc: 'A proposal for the configuration, with its evidence.',
  },
  { name: 'UnitResource', schema: API_SCHEMAS.Unit, doc: 'A named model to generate.' },
  {
    name: 'GenerationRecord',
    schema: API_SCHEMAS.Generation,
    doc: 'One run of the engine for a unit, or a batch of several.',
  },
  { name: 'ComparedGeneration', schema: comparedSchema, doc: 'One side of a comparison.' },
  { name: 'UnitFilter', schema: unitFilter, doc: 'A filter of units.' },
  {
    name: 'GenerationWarning',
    schema: warningSchema,
    doc: 'A point that needs attention. It never means that the output is wrong.',
  },
  { name: 'JobFailure', schema: API_SCHEMAS.Failure, doc: 'The reason why a job failed.' },
  { name: 'DeletedResource', schema: API_SCHEMAS.Deleted, doc: 'The answer to a deletion.' },
]

/** The types of analyses, with the comments above them. */
export const ANALYSIS_TYPES: readonly TypeEntry[] = [
  {
    name: 'AnalysisProgress',
    schema: Analysis.shape.progress.unwrap(),
    doc: 'The progress of a running analysis.',
  },
  {
    name: 'AnalysisScore',
    schema: Analysis.shape.score.unwrap(),
    doc: 'The result of an analysis in numbers.',
  },
  { name: 'FindingCounts', schema: Analysis.shape.findings.unwrap(), doc: 'Numbers of findings.' },
  { name: 'FindingFix', schema: Finding.shape.fix.unwrap(), doc: 'The fix of a finding.' },
  {
    name: 'NotChecked',
    schema: API_SCHEMAS.NotChecked,
    doc: 'Things that a rule could not check, for one reason.',
  },
  { name: 'AnalysisResource', schema: API_SCHEMAS.Analysis, doc: 'A check of a dbt project by rules.' },
  {
    name: 'AnalysisDetail',
    schema: API_SCHEMAS.AnalysisDetail,
    doc: 'An analysis with what was not checked.',
  },
  { name: 'FindingResource', schema: API_SCHEMAS.Finding, doc: 'A finding of an analysis.' },
]

/** The types of the assistant, with the comments above them. */
export const ASSISTANT_TYPES: readonly TypeEntry[] = [
  {
    name: 'AssistantSettings',
    schema: API_SCHEMAS.AssistantSettings,
    doc: 'The model of the assistant of a project, and its budget.',
  },
  { name: 'ConversationResource', schema: API_SCHEMAS.Conversation, doc: 'A conversation about a project.' },
  {
    name: 'CitationRecord',
    schema: API_SCHEMAS.Citation,
    doc: 'A place that proves a statement of an answer.',
  },
  { name: 'TalkAnswer', schema: API_SCHEMAS.TalkAnswer, doc: 'The answer to a question.' },
  { name: 'TalkUsage', schema: Message.shape.usage, doc: 'The tokens of an answer.' },
  { name: 'TalkMessage', schema: API_SCHEMAS.TalkMessage, doc: 'One event of a running answer.' },
  { name: 'MessageResource', schema: Message, doc: 'A question, and its answer once there is one.' },
  {
    name: 'ProposedFileRecord',
    schema: Proposal.shape.files.element,
    doc: 'A file that a proposal changes.',
  },
  { name: 'ProposalResource', schema: Proposal, doc: 'A change that waits for a person to apply it.' },
]

/** The types of pushes, with the comments above them. */
export const PUSH_TYPES: readonly TypeEntry[] = [
  { name: 'PushedFile', schema: Push.shape.files.unwrap().element, doc: 'A file of the commit.' },
  {
    name: 'KeptFile',
    schema: Push.shape.kept.unwrap().element,
    doc: 'A file of an earlier push that was kept though its unit is gone.',
  },
  {
    name: 'SkippedPart',
    schema: Push.shape.skipped.unwrap().element,
    doc: 'A model, source table or property that was left out of the push.',
  },
  {
    name: 'FileConflict',
    schema: Push.shape.conflicts.unwrap().element,
    doc: 'A file that stays as it is, because a person changed it too.',
  },
  { name: 'PlannedFile', schema: PushPlan.shape.files.element, doc: 'A file of a plan.' },
  { name: 'PlannedTable', schema: PushPlan.shape.tables.element, doc: 'A table of a plan.' },
  { name: 'PushPlan', schema: PushPlan, doc: 'The changes of a push, file by file.' },
  { name: 'PlannedPushResource', schema: plannedPushSchema, doc: 'A push with its plan.' },
  { name: 'PushResource', schema: API_SCHEMAS.Push, doc: 'A push of generated files to a Git repository.' },
]

/** The types of events and webhooks, with the comments above them. */
export const WEBHOOK_TYPES: readonly TypeEntry[] = [
  {
    name: 'ActivityResource',
    schema: API_SCHEMAS.Activity,
    doc: 'The activity of a project, hour by hour.',
  },
  { name: 'ChangeMessage', schema: API_SCHEMAS.ChangeMessage, doc: 'A message of the stream of a project.' },
  { name: 'EventRecord', schema: API_SCHEMAS.Event, doc: 'An event, as webhooks receive it.' },
  { name: 'EventType', schema: API_SCHEMAS.EventType, doc: 'A kind of event, with its schema.' },
  { name: 'WebhookResource', schema: API_SCHEMAS.Webhook, doc: 'An address that receives events.' },
  { name: 'DeliveryResource', schema: API_SCHEMAS.Delivery, doc: 'One event on its way to one webhook.' },
  { name: 'DeliveryDetail', schema: API_SCHEMAS.DeliveryDetail, doc: 'A delivery with all its attempts.' },
  { name: 'DeliveryRequest', schema: API_SCHEMAS.DeliveryRequest, doc: 'The request of a delivery.' },
  { name: 'DeliveryAttempt', schema: API_SCHEMAS.DeliveryAttempt, doc: 'One attempt to deliver an event.' },
]

/** The names of the library that bodies and answers refer to. */
const LIBRARY = Object.fromEntries([
  ...Object.entries(TYPE_OPTIONS.others).map(([name, { is }]): [string, OtherType] => [
    name,
    { from: '../names.ts', is },
  ]),
  ...TYPES.map(({ name, schema }): [string, OtherType] => [name, { from: '../types.ts', is: schema }]),
])

/** Returns the schemas of one place of all operations, with their summaries. */
function membersOf(place: 'query' | 'body' | 'data'): TypeMap['members'] {
  return Object.entries<Operation>(API_OPERATIONS).flatMap(([key, operation]) => {
    const schema = operation[place]
    return schema ? [{ key, doc: `${operation.summary}.`, schema }] : []
  })
}

const OTHERS: PrintOptions['others'] = {
  ...LIBRARY,
  ChangeKind: { from: './changes.ts', is: CHANGE_KIND_NAMES },
  DeliveryState: { from: './deliveries.ts', is: DELIVERY_STATES },
  ErrorCode: { from: '../errors.ts', is: ERROR_CODES },
  EventKind: { from: './events.ts', is: EVENT_KIND_NAMES },
  SuggestionKind: { from: './scans.ts', is: SUGGESTION_KINDS },
  JobState: { from: './fields.ts', is: JOB_STATES },
  Scope: { from: './operation.ts', is: SCOPES },
  TalkEventKind: { from: './assistant-schemas.ts', is: TALK_EVENTS },
  WarningCode: { from: '../generation.ts', is: Object.keys(WARNINGS) },
}

export const API_TYPE_OPTIONS: PrintOptions = { others: OTHERS }

/** Returns types of another file, for those that refer to them. */
function typesOf(entries: readonly TypeEntry[], from: string): PrintOptions['others'] {
  return Object.fromEntries(
    entries.map(({ name, schema }): [string, OtherType] => [name, { from, is: schema }]),
  )
}

/** The types of pushes and analyses refer to those of the other resources. */
export const PUSH_OPTIONS: PrintOptions = { others: { ...OTHERS, ...typesOf(API_TYPES, './types.ts') } }

const RESOURCES = {
  ...PUSH_OPTIONS.others,
  ...typesOf(PUSH_TYPES, './push-types.ts'),
  ...typesOf(ANALYSIS_TYPES, './analysis-types.ts'),
  ...typesOf(ASSISTANT_TYPES, './assistant-types.ts'),
  ...typesOf(WEBHOOK_TYPES, './webhook-types.ts'),
}

/** The queries and bodies of the operations. */
export const INPUT_OPTIONS: PrintOptions & { readonly maps: readonly TypeMap[] } = {
  others: RESOURCES,
  maps: [
    {
      name: 'ApiQueries',
      doc: 'The queries of the operations under `/v1`, as a program gives them.',
      members: membersOf('query'),
    },
    {
      name: 'ApiBodies',
      doc: 'The bodies of the operations under `/v1`, as a program gives them.',
      members: membersOf('body'),
    },
  ],
}

/** The answers of the operations. */
export const DATA_OPTIONS: PrintOptions & { readonly maps: readonly TypeMap[] } = {
  others: RESOURCES,
  maps: [
    {
      name: 'ApiData',
      doc: 'The `data` that the operations under `/v1` answer.',
      members: membersOf('data'),
    },
  ],
}
