/** The labels by which the panel knows what it launched from the catalog. */
export const labels = {
  /** Id of the app, or of the stack. */
  entry: 'hostreeve.catalog',
  /** Name of the stack that a container, network or volume belongs to. */
  instance: 'hostreeve.stack',
  /** Key of the service in the stack. */
  service: 'hostreeve.stack.service',
  /** Position in the order of launch. */
  order: 'hostreeve.stack.order',
} as const
