/** The severities of syslog(3), the most severe first. */
export const logPriorities = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const
export type LogPriority = (typeof logPriorities)[number]

/** The logs that a service may have. */
export const logSources = ['journal', 'file'] as const
export type LogSource = (typeof logSources)[number]
