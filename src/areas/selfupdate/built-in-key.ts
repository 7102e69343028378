/** The public key that releases are verified with unless the configuration names another: 32 bytes in base64; a maker of releases puts theirs here. */
export const builtInKey = ''
