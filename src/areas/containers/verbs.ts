/** What can be done to a container; model.ts may not import the tool, as pages read it. */
export const containerVerbs = ['start', 'stop', 'restart', 'pause', 'unpause', 'kill'] as const
export type ContainerVerb = (typeof containerVerbs)[number]
