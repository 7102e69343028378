/** The files of the vendor's package (`opensearch` 2.x). */
export const configurationPath = '/etc/opensearch/opensearch.yml'
export const heapPath = '/etc/opensearch/jvm.options.d/hostreeve.options'
export const pluginsPath = '/usr/share/opensearch/plugins'

/** The vendor's package repository, and the key that signs it. */
export const sourcePath = '/etc/apt/sources.list.d/opensearch.list'
export const keyPath = '/etc/apt/keyrings/opensearch.asc'

export const apiPort = 9200

/** The indices of log lines have this name, and the day in UTC: `hostreeve-logs-2026.11.28`. */
export const indexPrefix = 'hostreeve-logs-'
export const logIndices = `${indexPrefix}*`
