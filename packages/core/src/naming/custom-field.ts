/**
 * A custom field of Salesforce in any case: `Region__c`, and `__pc` for person accounts.
 * Source: developer.salesforce.com/docs, "Custom Fields" of the Object Reference.
 */
export const SALESFORCE_FIELD = /^(.*[a-z0-9])__p?c$/
