// Converts the numbers of the company to the ids of Shopify.

export const customerId = (number: number): number => 6_201_480_000_000 + number * 32_768
export const addressId = (number: number): number => 7_402_110_000_000 + number * 32_768
export const productId = (number: number): number => 6_778_900_000_000 + number * 131_072
export const variantId = (number: number): number => 39_912_650_000_000 + number * 32_768
export const inventoryItemId = (number: number): number => 42_006_810_000_000 + number * 32_768
export const collectionId = (number: number): number => 266_540_000_000 + number * 65_536
export const locationId = (number: number): number => 61_210_000_000 + number * 32_768
export const orderId = (number: number): number => 3_854_120_000_000 + number * 131_072
export const orderLineId = (number: number): number => 10_083_440_000_000 + number * 32_768
export const fulfillmentId = (number: number): number => 3_451_900_000_000 + number * 32_768
export const refundId = (number: number): number => 801_660_000_000 + number * 32_768
export const refundLineId = (number: number): number => 298_730_000_000 + number * 32_768
