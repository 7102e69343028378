/** The states of rows that can be suspended. */
export const suspensionStates = ['active', 'suspended'] as const
