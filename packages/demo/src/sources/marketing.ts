import type { Campaign } from '../company/campaigns.ts'
import { createRandom, type Random } from '../random.ts'
import { defineTable, type RawTable, type SourceBuilder } from '../raw-table.ts'
import { DAY, day, epoch, HOUR, NOW, OPENED, timestamp } from '../time.ts'

/** A campaign with the names that dlt gave to its rows. */
interface LoadedCampaign {
  readonly campaign: Campaign
  readonly dltId: string
  readonly ads: readonly string[]
}

const HEADLINES = ['Sleep under the lights', 'Dry all day', 'Boots for the long way', 'Pack less, see more']
const AUDIENCES = ['hikers', 'paddlers', 'new parents', 'lapsed customers']

/** dlt names a load after its start, in epoch seconds. */
function loadId(moment: number): string {
  return `${epoch(moment)}.481937`
}

const dltId = (random: Random): string => random.token(14)

/** The load of a day runs early on the next morning. For campaigns, only the last load is kept. */
const loadOf = (moment: number): string =>
  loadId(Math.min(Math.floor(moment / DAY) * DAY + DAY + 4 * HOUR, NOW - HOUR))

const LAST_LOAD = loadId(NOW - HOUR)

function campaigns(loaded: readonly LoadedCampaign[]): RawTable {
  return defineTable({
    name: 'campaigns',
    key: ['_dlt_id'],
    columns: {
      id: 'bigint',
      name: 'varchar',
      slug: 'varchar',
      channel: 'varchar',
      platform: 'varchar',
      status: 'varchar',
      budget__amount: 'decimal(38, 9)',
      budget__currency: 'varchar',
      start_date: 'date',
      end_date: 'date',
      created_at: 'timestamptz',
      _dlt_load_id: 'varchar not null',
      _dlt_id: 'varchar not null',
    },
    rows: loaded.map(({ campaign, dltId }) => ({
      id: campaign.number,
      name: campaign.name,
      slug: campaign.slug,
      channel: campaign.channel,
      platform: campaign.platform,
      status: campaign.endsAt >= NOW - DAY ? 'active' : 'ended',
      budget__amount: 1500 + campaign.number * 250,
      budget__currency: 'USD',
      start_date: day(campaign.startsAt),
      end_date: campaign.endsAt >= NOW ? null : day(campaign.endsAt),
      created_at: timestamp(campaign.startsAt - 14 * DAY),
      _dlt_load_id: LAST_LOAD,
      _dlt_id: dltId,
    })),
  })
}

function ads(loaded: readonly LoadedCampaign[]): RawTable {
  return defineTable({
    name: 'campaigns__ads',
    key: ['_dlt_id'],
    columns: {
      ad_id: 'bigint',
      headline: 'varchar',
      format: 'varchar',
      is_paused: 'boolean',
      creative__width: 'bigint',
      creative__height: 'bigint',
      _dlt_parent_id: 'varchar not null',
      _dlt_list_idx: 'bigint not null',
      _dlt_id: 'varchar not null',
    },
    rows: loaded.flatMap((parent) =>
      parent.ads.map((id, index) => ({
        ad_id: parent.campaign.number * 100 + index,
        headline: HEADLINES[(parent.campaign.number + index) % HEADLINES.length] ?? null,
        format: index % 2 === 0 ? 'image' : 'carousel',
        is_paused: index === 3,
        creative__width: 1080,
        creative__height: index % 2 === 0 ? 1080 : 1350,
        _dlt_parent_id: parent.dltId,
        _dlt_list_idx: index,
        _dlt_id: id,
      })),
    ),
  })
}

/** Creates the table of a list of plain values, which dlt keeps in a column `value`. */
function audiences(loaded: readonly LoadedCampaign[]): RawTable {
  const random = createRandom('marketing.campaigns__audiences')
  return defineTable({
    name: 'campaigns__audiences',
    key: ['_dlt_id'],
    columns: {
      value: 'varchar',
      _dlt_parent_id: 'varchar not null',
      _dlt_list_idx: 'bigint not null',
      _dlt_id: 'varchar not null',
    },
    rows: loaded.flatMap((parent) =>
      AUDIENCES.slice(0, 1 + (parent.campaign.number % AUDIENCES.length)).map((value, index) => ({
        value,
        _dlt_parent_id: parent.dltId,
        _dlt_list_idx: index,
        _dlt_id: dltId(random),
      })),
    ),
  })
}

function adSpend(loaded: readonly LoadedCampaign[]): RawTable {
  const random = createRandom('marketing.ad_spend')
  const days = loaded.flatMap(({ campaign }) => {
    const length = Math.floor((Math.min(campaign.endsAt, NOW - DAY) - campaign.startsAt) / DAY)
    return Array.from({ length }, (_, index) => ({ campaign, at: campaign.startsAt + index * DAY }))
  })
  return defineTable({
    name: 'ad_spend',
    key: ['_dlt_id'],
    columns: {
      date: 'date',
      campaign_id: 'bigint',
      impressions: 'bigint',
      clicks: 'bigint',
      conversions: 'double',
      cost_micros: 'bigint',
      currency: 'varchar',
      _dlt_load_id: 'varchar not null',
      _dlt_id: 'varchar not null',
    },
    rows: days.map(({ at, campaign }) => {
      const impressions = random.integer(400, 26_000)
      const clicks = Math.floor((impressions * random.integer(4, 45)) / 1000)
      return {
        date: day(at),
        campaign_id: campaign.number,
        impressions,
        clicks,
        conversions: Math.floor((clicks * random.integer(0, 60)) / 100) / 10,
        cost_micros: clicks * random.integer(120_000, 940_000),
        currency: 'USD',
        _dlt_load_id: loadOf(at),
        _dlt_id: dltId(random),
      }
    }),
  })
}

/** Creates dlt's record of its loads. A load is complete once its status is 0. */
function loads(): RawTable {
  const days = Array.from({ length: Math.floor((NOW - OPENED) / DAY) }, (_, index) => OPENED + index * DAY)
  const starts = new Set([...days.map(loadOf), LAST_LOAD])
  return defineTable({
    name: '_dlt_loads',
    key: ['load_id'],
    columns: {
      load_id: 'varchar not null',
      schema_name: 'varchar',
      status: 'bigint not null',
      inserted_at: 'timestamptz not null',
      schema_version_hash: 'varchar',
    },
    rows: [...starts].map((id) => ({
      load_id: id,
      schema_name: 'marketing',
      status: 0,
      inserted_at: timestamp(Number(id.split('.')[0]) * 1000 + 95_000),
      schema_version_hash: 'dN0vTz7vJ2xkq1HnYb3mR8sQeC5uWfLgPa4iXo6tZkE=',
    })),
  })
}

/** The costs of advertising, loaded by dlt, which puts lists into separate tables. */
export const marketing: SourceBuilder = (company) => {
  const random = createRandom('marketing')
  const loaded = company.campaigns.map((campaign) => ({
    campaign,
    dltId: dltId(random),
    ads: Array.from({ length: random.integer(2, 5) }, () => dltId(random)),
  }))
  return {
    schema: 'marketing',
    loader: 'dlt',
    tables: [campaigns(loaded), ads(loaded), audiences(loaded), adSpend(loaded), loads()],
  }
}
