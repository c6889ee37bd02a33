import { createCompany } from '../company/company.ts'
import type { RawSource, SourceBuilder } from '../raw-table.ts'
import { crm } from './crm/crm.ts'
import { erp } from './erp/erp.ts'
import { marketing } from './marketing.ts'
import { shopify } from './shopify/shopify.ts'
import { stripe } from './stripe/stripe.ts'
import { web } from './web.ts'

const BUILDERS: readonly SourceBuilder[] = [shopify, stripe, crm, erp, web, marketing]

/** Creates every system of the company with its tables, the same at every call. */
export function createSources(): readonly RawSource[] {
  const company = createCompany()
  return BUILDERS.map((build) => build(company))
}
