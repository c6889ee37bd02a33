import { DAY, NOW, OPENED } from '../time.ts'

/** A promotion that brings visitors to the shop. */
export interface Campaign {
  /** 1, 2, 3 … */
  readonly number: number
  /** The value of `utm_campaign` in links. */
  readonly slug: string
  readonly name: string
  readonly channel: 'paid_search' | 'paid_social' | 'email' | 'affiliate'
  readonly platform: string
  readonly startsAt: number
  readonly endsAt: number
}

type Channel = Campaign['channel']

const PLATFORMS: Readonly<Record<Channel, readonly string[]>> = {
  paid_search: ['google'],
  paid_social: ['instagram', 'facebook', 'pinterest'],
  email: ['newsletter'],
  affiliate: ['trailblog'],
}

/** The promotions of each season: title, first day counted from the opening, and channels. */
const SEASONS: readonly (readonly [
  title: string,
  start: number,
  length: number,
  channels: readonly Channel[],
])[] = [
  ['Summer Launch', 0, 60, ['paid_search', 'paid_social']],
  ['Back to Trail', 62, 45, ['paid_search', 'email']],
  ['Black Friday 2024', 140, 14, ['paid_search', 'paid_social', 'email']],
  ['Winter Warmers', 156, 70, ['paid_search', 'affiliate']],
  ['Spring Thaw', 240, 55, ['paid_social', 'email']],
  ['Always On', 180, 369, ['paid_search']],
  ['Summer Basecamp', 330, 80, ['paid_search', 'paid_social', 'affiliate']],
  ['Boot Season', 420, 60, ['paid_search', 'email']],
  ['Black Friday 2025', 504, 14, ['paid_search', 'paid_social', 'email']],
  ['Holiday Gifts', 520, 29, ['paid_search', 'paid_social']],
]

export function createCampaigns(): readonly Campaign[] {
  return SEASONS.flatMap(([title, start, length, channels]) =>
    channels.map((channel) => ({ title, start, length, channel })),
  ).map(({ channel, length, start, title }, index) => {
    const platforms = PLATFORMS[channel]
    const startsAt = OPENED + start * DAY
    return {
      number: index + 1,
      slug: `${title.toLowerCase().replaceAll(' ', '-')}-${channel.replaceAll('_', '-')}`,
      name: `${title} | ${channel}`,
      channel,
      platform: platforms[index % platforms.length] ?? channel,
      startsAt,
      endsAt: Math.min(startsAt + length * DAY, NOW),
    }
  })
}
