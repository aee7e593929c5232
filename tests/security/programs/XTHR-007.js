// XTHR-007: a revoked proxy of an error, thrown from a promise
const { proxy, revoke } = Proxy.revocable(new Error("inside"), {}); revoke(); await Promise.reject(proxy);