// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { DialectName, TableKind } from '../names.ts'
import type { Explanation, Observation, Table, TableProfile } from '../types.ts'
import type { AnalysisDetail, AnalysisResource, FindingResource } from './analysis-types.ts'
import type {
  AssistantSettings,
  ConversationResource,
  MessageResource,
  ProposalResource,
} from './assistant-types.ts'
import type { DeliveryState } from './deliveries.ts'
import type { EventKind } from './events.ts'
import type { JobState } from './fields.ts'
import type { PlannedPushResource, PushResource } from './push-types.ts'
import type {
  AuditEntry,
  ComparedGeneration,
  ConnectionResource,
  ConnectionTest,
  DeletedResource,
  GenerationRecord,
  GitSettings,
  JobFailure,
  KeyResource,
  KeySecret,
  ProjectConfig,
  ProjectResource,
  ScanProgress,
  ScanResource,
  SessionResource,
  SourceResource,
  SuggestionRecord,
  UnitResource,
} from './types.ts'
import type {
  ActivityResource,
  DeliveryDetail,
  DeliveryRequest,
  DeliveryResource,
  EventRecord,
  EventType,
  WebhookResource,
} from './webhook-types.ts'

/** The `data` that the operations under `/v1` answer. */
export interface ApiData {
  /** Create a project. */
  createProject: {
    /** The id of a project. */
    id: string
    /** The name of the project. */
    name: string
    /** The SQL dialect to write. Default: that of the connection. */
    dialect?: DialectName | undefined
    /** The dbt version to write YAML for. Default: the newest. */
    dbtVersion?: string | undefined
    /** Naming, options and overrides, as in a `stagecraft.yml`. */
    config: ProjectConfig
    /** The connection that is used if a request does not name one. */
    connectionId?: string | undefined
    /** The target of pushes. */
    git?: GitSettings | undefined
    /** The number of generations to keep for each unit, at least 50, which pushes need. Default 100. */
    keepGenerations?: number | undefined
    /** Counts changes; part of the `ETag` of the resource. */
    version: number
    /** ISO 8601 in UTC. */
    createdAt: string
    /** ISO 8601 in UTC. */
    updatedAt: string
    /** A key of the new project. */
    key: KeySecret
  }
  /** List the projects of the key. */
  listProjects: {
    /** The items of this page. */
    items: ProjectResource[]
  }
  /** Get a project. */
  getProject: ProjectResource
  /** Change a project. */
  updateProject: ProjectResource
  /** Delete a project with everything in it, including its keys. */
  deleteProject: DeletedResource
  /** Create a key. */
  createKey: KeySecret
  /** List the keys of a project. */
  listKeys: {
    /** The items of this page. */
    items: KeyResource[]
  }
  /** Replace a key; both are valid for a time. */
  rotateKey: KeySecret
  /** Revoke a key; it stops working immediately. */
  revokeKey: DeletedResource
  /** Sign in to the dashboard with a key. */
  createSession: SessionResource
  /** Get the key of the call. */
  getSession: SessionResource
  /** Sign out of the dashboard. */
  deleteSession: DeletedResource
  /** List changes with the key that made them. */
  listAuditEntries: {
    /** The items of this page. */
    items: AuditEntry[]
  }
  /** Count the activity of a project by the hour. */
  getActivity: ActivityResource
  /** Create a connection. */
  createConnection: ConnectionResource
  /** List the connections of a project. */
  listConnections: {
    /** The items of this page. */
    items: ConnectionResource[]
  }
  /** Get a connection. */
  getConnection: ConnectionResource
  /** Change a connection. */
  updateConnection: ConnectionResource
  /** Delete a connection and the results of its scans. */
  deleteConnection: DeletedResource
  /** Test a connection now. */
  testConnection: ConnectionTest
  /** Read a catalog into the store, as a job. */
  createScan: ScanResource
  /** List the scans of a project. */
  listScans: {
    /** The items of this page. */
    items: {
      /** The id of a scan. */
      id: string
      /** The id of a connection. */
      connectionId: string
      /** True if it reads rows as well. */
      profile: boolean
      /** The rows of tables with more rows are not read. Absent: no limit. */
      maxRows?: number | undefined
      /** The rows of tables that take more bytes are not read. Absent: no limit. */
      maxBytes?: number | undefined
      /** `queued` and `running` jobs change automatically; all other states are final. */
      state: JobState
      /** Present if it failed. */
      error?: JobFailure | undefined
      /** ISO 8601 in UTC. */
      createdAt: string
      /** ISO 8601 in UTC. */
      startedAt?: string | undefined
      /** ISO 8601 in UTC. */
      finishedAt?: string | undefined
      /** The progress in tables; present once the catalog has been read. */
      progress?: ScanProgress | undefined
      /** The number of tables and views. */
      tables?: number | undefined
      /** The number of columns of all tables. */
      columns?: number | undefined
    }[]
  }
  /** Get a scan and the changes since the previous one. */
  getScan: ScanResource
  /** Stop a scan that has not finished. */
  cancelScan: ScanResource
  /** List the tables that scans found. */
  listSources: {
    /** The items of this page. */
    items: SourceResource[]
  }
  /** Get a table with its columns, keys and comments, as last scanned. */
  getSource: {
    /** The dotted name: `raw.stripe.payments`. */
    name: string
    /** The id of a connection. */
    connectionId: string
    /** The kind of table. */
    kind: TableKind
    /** The comment on the table. */
    comment?: string | undefined
    /** The number of columns. */
    columns: number
    /** The last scan that found it. */
    scanId: string
    /** ISO 8601 in UTC. */
    scannedAt: string
    /** The time when a scan last read its rows, in UTC. Absent if no scan has. */
    profiledAt?: string | undefined
    /** Facts that hold for its rows. Generated tests and descriptions use them. */
    observed?: Observation | undefined
    /** Its columns, keys and comments. */
    table: Table
    /** Statistics of its rows and columns. Absent if no scan has read its rows. */
    profile?: TableProfile | undefined
  }
  /** List suggestions: findings of scans with profiles that neither warehouse nor configuration states. */
  listSuggestions: {
    /** The items of this page. */
    items: SuggestionRecord[]
  }
  /** Create a unit: a named model to generate. */
  createUnit: UnitResource
  /** List the units of a project. */
  listUnits: {
    /** The items of this page. */
    items: UnitResource[]
  }
  /** Create units for scanned tables, and generate them as one job. */
  createUnits: {
    /** The number of selected tables. */
    matched: number
    /** Units that were created; in a dry run, units that would be created. */
    created: number
    /** Units that existed before; they do not change. */
    existing: number
    /** The first 1,000 units, by source. */
    units: {
      /** The dotted name of the source table. */
      source: string
      /** The name of its model. */
      name: string
      /** Its unit; absent if a dry run would create it. */
      unitId?: string | undefined
      /** False for a unit that existed before. */
      isNew: boolean
    }[]
    /** The batch that generates them. */
    generationId?: string | undefined
  }
  /** Count the units of a project that a filter selects. */
  countUnits: {
    /** The number of units. */
    units: number
  }
  /** Get a unit. */
  getUnit: UnitResource
  /** Change a unit. */
  updateUnit: UnitResource
  /** Explain the model of a unit. */
  explainUnit: Explanation
  /** Delete a unit and its generations. */
  deleteUnit: DeletedResource
  /** Generate one unit, several or all, as a job. */
  createGeneration: GenerationRecord
  /** List the generations of a project. */
  listGenerations: {
    /** The items of this page. */
    items: GenerationRecord[]
  }
  /** Get a generation. */
  getGeneration: GenerationRecord
  /** Stop a generation that has not finished. */
  cancelGeneration: GenerationRecord
  /** Compare the files of two generations. */
  diffGenerations: {
    /** The earlier generation; absent if there is none. */
    from?: ComparedGeneration | undefined
    /** The requested generation. */
    to: ComparedGeneration
    /** All files of both generations, by path. */
    files: {
      /** The path in the dbt project. */
      path: string
      /** The type of change. */
      change: 'added' | 'removed' | 'changed' | 'unchanged'
      /** The number of lines that were added. */
      added: number
      /** The number of lines that were removed. */
      removed: number
      /** A unified diff; empty for an unchanged file. */
      diff: string
    }[]
  }
  /** Delete a generation that has ended, with its files. */
  deleteGeneration: DeletedResource
  /** Commit the newest files to the project's Git repository, as a job. */
  createPush: PushResource
  /** List the pushes of a project. */
  listPushes: {
    /** The items of this page. */
    items: PushResource[]
  }
  /** Get a push, with its plan. */
  getPush: PlannedPushResource
  /** Stop a push that has not started. */
  cancelPush: PushResource
  /** Check the dbt project of the Git repository, or of an archive, against rules, as a job. */
  createAnalysis: AnalysisResource
  /** List the analyses of a project with their scores. */
  listAnalyses: {
    /** The items of this page. */
    items: AnalysisResource[]
  }
  /** Get an analysis with its summary and the parts that could not be checked. */
  getAnalysis: AnalysisDetail
  /** Stop an analysis that has not finished. */
  cancelAnalysis: AnalysisResource
  /** Push fixes for the findings of an analysis of the repository, as a job. */
  fixAnalysis: PushResource
  /** List the findings of an analysis by file and line. */
  listFindings: {
    /** The items of this page. */
    items: FindingResource[]
  }
  /** Get the settings of the assistant, and the tokens used today. */
  getAssistantSettings: AssistantSettings
  /** Choose the model of the assistant and its budget. */
  updateAssistantSettings: AssistantSettings
  /** Start a conversation about the dbt project. */
  createConversation: ConversationResource
  /** List the conversations that the key can open. */
  listConversations: {
    /** The items of this page. */
    items: ConversationResource[]
  }
  /** Get a conversation. */
  getConversation: ConversationResource
  /** Delete a conversation with its messages; an answer in progress is stopped. */
  deleteConversation: DeletedResource
  /** Ask a question. */
  createMessage: MessageResource
  /** List the messages of a conversation, newest first. */
  listMessages: {
    /** The items of this page. */
    items: MessageResource[]
  }
  /** Get a message with its answer. */
  getMessage: MessageResource
  /** Stop an answer that has not ended. */
  cancelMessage: MessageResource
  /** Ask the question of a failed or cancelled message again. */
  retryMessage: MessageResource
  /** List the proposals that the key can open. */
  listProposals: {
    /** The items of this page. */
    items: ProposalResource[]
  }
  /** Get a proposal with its diff. */
  getProposal: ProposalResource
  /** Discard a proposal; files that were pushed stay. */
  discardProposal: DeletedResource
  /** Push a proposal to the Git repository, as a job. */
  applyProposal: PushResource
  /** List the events of the project of the key. */
  listEvents: {
    /** The items of this page. */
    items: EventRecord[]
  }
  /** Get an event. */
  getEvent: EventRecord
  /** List the kinds of event with schema and example. */
  listEventTypes: {
    /** Every kind of event. */
    items: EventType[]
  }
  /** Create a webhook subscription. */
  createWebhook: WebhookResource
  /** List the webhooks of the project of the key. */
  listWebhooks: {
    /** The items of this page. */
    items: WebhookResource[]
  }
  /** Get a webhook. */
  getWebhook: WebhookResource
  /** Change a webhook. */
  updateWebhook: WebhookResource
  /** Delete a webhook and its deliveries. */
  deleteWebhook: DeletedResource
  /** Rotate the secret of a webhook; both secrets sign for a time. */
  rotateWebhookSecret: {
    /** The id of a webhook. */
    id: string
    /** The HTTPS address that receives the events. */
    url: string
    /** Kinds of events, each once. */
    events: EventKind[]
    /** A note for people. */
    description?: string | undefined
    /** The names of the headers that are sent with every delivery. */
    headerNames: string[]
    /** `paused` by a user; `disabled` by the service, as `notice` explains. */
    state: 'active' | 'paused' | 'disabled'
    /** The reason why it is disabled or its deliveries fail. */
    notice?: string | undefined
    /** Failed attempts since the last success. */
    consecutiveFailures: number
    /** ISO 8601 in UTC. */
    failingSince?: string | undefined
    /** ISO 8601 in UTC. */
    lastSuccessAt?: string | undefined
    /**
     * Deliveries wait, because many attempts failed in a row. After this time one is tried; if it arrives,
     * the others follow.
     */
    waitsUntil?: string | undefined
    /** The time until which the previous secret also signs. */
    previousSecretExpiresAt?: string | undefined
    /** Counts changes; part of the `ETag` of the resource. */
    version: number
    /** ISO 8601 in UTC. */
    createdAt: string
    /** ISO 8601 in UTC. */
    updatedAt: string
    /** The new secret, shown only once. */
    secret?: string | undefined
  }
  /** Send an example event now and return the result. */
  testWebhook: DeliveryDetail
  /** Pause a webhook; its deliveries wait until it is enabled. */
  pauseWebhook: WebhookResource
  /** Enable a webhook after a pause or after it was disabled. */
  enableWebhook: WebhookResource
  /** Deliver the events of a period again. */
  replayEvents: {
    /** The number of new deliveries. */
    deliveries: number
  }
  /** Count the deliveries of a webhook by state, and summarize those of the last 7 days. */
  getWebhookStats: {
    /** The number of deliveries in each state. */
    deliveries: Record<DeliveryState, number>
    /** ISO 8601 in UTC. */
    oldestPendingAt?: string | undefined
    /** Covers the last 7 days, and at most the newest 1,000 deliveries. */
    recent: {
      /** Deliveries that arrived, failed permanently or expired. */
      ended: number
      /** Deliveries that arrived. */
      delivered: number
      /** 95 % of the last attempts took at most this time, in milliseconds. */
      p95Ms?: number | undefined
    }
  }
  /** Summarize the deliveries of the last 7 days for every webhook. */
  listWebhookStats: {
    /** All webhooks of the project. Covers the last 7 days, and at most the newest 1,000 deliveries. */
    items: {
      /** The id of a webhook. */
      webhookId: string
      /** Deliveries that arrived, failed permanently or expired. */
      ended: number
      /** Deliveries that arrived. */
      delivered: number
      /** 95 % of the last attempts took at most this time, in milliseconds. */
      p95Ms?: number | undefined
    }[]
  }
  /** List the deliveries of a webhook. */
  listDeliveries: {
    /** The items of this page. */
    items: DeliveryResource[]
  }
  /** List the deliveries of all webhooks of the project of the key. */
  listAllDeliveries: {
    /** The items of this page. */
    items: DeliveryResource[]
  }
  /** Deliver the events of many deliveries again. */
  redeliverMany: {
    /** The number of new deliveries; in a dry run, the number that would be created. */
    deliveries: number
    /** The number of further deliveries that the filter selects; at most 10,000 are created at once. */
    remaining: number
  }
  /** Get a delivery with all its attempts. */
  getDelivery: DeliveryDetail
  /** Get the request of a delivery, as it would be sent now. */
  getDeliveryRequest: DeliveryRequest
  /** Deliver an event again. */
  redeliver: DeliveryResource
}
