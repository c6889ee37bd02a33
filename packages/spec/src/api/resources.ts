import type { z } from '../zod.ts'
import { columnExplanationSchema, decisionSchema, explanationSchema } from '../explanation.ts'
import { generationOptionsSchema } from '../options.ts'
import { tableSchema } from '../table.ts'
import { activitySchema } from './activity.ts'
import { analysisDetailSchema, analysisSchema, findingSchema, uncheckedSchema } from './analyses.ts'
import { auditEntrySchema } from './audit.ts'
import { changeMessageSchema } from './changes.ts'
import {
  assistantSettingsSchema,
  citationSchema,
  conversationSchema,
  messageSchema,
  proposalSchema,
  talkAnswerSchema,
  talkMessageSchema,
} from './assistant-schemas.ts'
import { connectionSchema, connectionTestSchema } from './connections.ts'
import { eventSchema, eventTypeSchema } from './events.ts'
import { deletedSchema, failureField } from './fields.ts'
import { generationDiffSchema, generationRecordSchema } from './generations.ts'
import { keySchema, keySecretSchema } from './keys.ts'
import { projectConfigSchema, projectSchema } from './projects.ts'
import { plannedPushSchema, pushPlanSchema, pushSchema } from './pushes.ts'
import { scanChangesSchema, scanSchema, sourceSchema, suggestionSchema } from './scans.ts'
import { sessionSchema } from './sessions.ts'
import { unitSchema } from './units.ts'
import { attemptSchema, deliveryDetailSchema, deliveryRequestSchema, deliverySchema } from './deliveries.ts'
import { webhookSchema } from './webhooks.ts'

/** The schemas of answers, by their name in the OpenAPI document. */
export const API_SCHEMAS = {
  Project: projectSchema,
  ProjectConfig: projectConfigSchema,
  Key: keySchema,
  KeySecret: keySecretSchema,
  Session: sessionSchema,
  AuditEntry: auditEntrySchema,
  Activity: activitySchema,
  Connection: connectionSchema,
  ConnectionTest: connectionTestSchema,
  Scan: scanSchema,
  ScanChanges: scanChangesSchema,
  Source: sourceSchema,
  Suggestion: suggestionSchema,
  Table: tableSchema,
  Unit: unitSchema,
  Explanation: explanationSchema,
  ColumnExplanation: columnExplanationSchema,
  Decision: decisionSchema,
  GenerationOptions: generationOptionsSchema,
  Generation: generationRecordSchema,
  GenerationDiff: generationDiffSchema,
  Push: pushSchema,
  PlannedPush: plannedPushSchema,
  PushPlan: pushPlanSchema,
  Analysis: analysisSchema,
  AnalysisDetail: analysisDetailSchema,
  Finding: findingSchema,
  NotChecked: uncheckedSchema,
  ChangeMessage: changeMessageSchema,
  AssistantSettings: assistantSettingsSchema,
  Conversation: conversationSchema,
  Message: messageSchema,
  TalkAnswer: talkAnswerSchema,
  Citation: citationSchema,
  TalkMessage: talkMessageSchema,
  Proposal: proposalSchema,
  Event: eventSchema,
  EventType: eventTypeSchema,
  Webhook: webhookSchema,
  Delivery: deliverySchema,
  DeliveryDetail: deliveryDetailSchema,
  DeliveryRequest: deliveryRequestSchema,
  DeliveryAttempt: attemptSchema,
  Failure: failureField,
  Deleted: deletedSchema,
} as const satisfies Record<string, z.ZodType>
