import type { z } from 'zod'
import { generationOptionsSchema } from '../options.ts'
import { tableSchema } from '../table.ts'
import { connectionSchema } from './connections.ts'
import { eventSchema } from './events.ts'
import { deletedSchema } from './fields.ts'
import { generationRecordSchema } from './generations.ts'
import { keySchema, keySecretSchema } from './keys.ts'
import { projectConfigSchema, projectSchema } from './projects.ts'
import { pushSchema } from './pushes.ts'
import { scanSchema, sourceSchema } from './scans.ts'
import { unitSchema } from './units.ts'
import { deliveryDetailSchema, deliverySchema, webhookSchema } from './webhooks.ts'

/** What operations answer with, by the names that the document gives it. */
export const API_SCHEMAS = {
  Project: projectSchema,
  ProjectConfig: projectConfigSchema,
  Key: keySchema,
  KeySecret: keySecretSchema,
  Connection: connectionSchema,
  Scan: scanSchema,
  Source: sourceSchema,
  Table: tableSchema,
  Unit: unitSchema,
  GenerationOptions: generationOptionsSchema,
  Generation: generationRecordSchema,
  Push: pushSchema,
  Event: eventSchema,
  Webhook: webhookSchema,
  Delivery: deliverySchema,
  DeliveryDetail: deliveryDetailSchema,
  Deleted: deletedSchema,
} as const satisfies Record<string, z.ZodType>
