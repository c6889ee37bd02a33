import type { z } from 'zod'
import { generationOptionsSchema } from '../options.ts'
import { tableSchema } from '../table.ts'
import { connectionSchema, connectionTestSchema } from './connections.ts'
import { eventSchema, eventTypeSchema } from './events.ts'
import { deletedSchema, failureField } from './fields.ts'
import { generationRecordSchema } from './generations.ts'
import { keySchema, keySecretSchema } from './keys.ts'
import { projectConfigSchema, projectSchema } from './projects.ts'
import { pushSchema } from './pushes.ts'
import { scanChangesSchema, scanSchema, sourceSchema } from './scans.ts'
import { unitSchema } from './units.ts'
import { attemptSchema, deliveryDetailSchema, deliverySchema, webhookSchema } from './webhooks.ts'

/** The schemas of answers, by their names in the OpenAPI document. */
export const API_SCHEMAS = {
  Project: projectSchema,
  ProjectConfig: projectConfigSchema,
  Key: keySchema,
  KeySecret: keySecretSchema,
  Connection: connectionSchema,
  ConnectionTest: connectionTestSchema,
  Scan: scanSchema,
  ScanChanges: scanChangesSchema,
  Source: sourceSchema,
  Table: tableSchema,
  Unit: unitSchema,
  GenerationOptions: generationOptionsSchema,
  Generation: generationRecordSchema,
  Push: pushSchema,
  Event: eventSchema,
  EventType: eventTypeSchema,
  Webhook: webhookSchema,
  Delivery: deliverySchema,
  DeliveryDetail: deliveryDetailSchema,
  DeliveryAttempt: attemptSchema,
  Failure: failureField,
  Deleted: deletedSchema,
} as const satisfies Record<string, z.ZodType>
