/** Names the digest of a DS, whose data begin with the key tag, the algorithm and the type of the digest. */
export const dsLabel = (ds: string): string => `DS ${ds.split(' ')[2] === '4' ? 'SHA-384' : 'SHA-256'}`
