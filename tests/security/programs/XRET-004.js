// XRET-004: a view gives its own bytes and none of the buffer around it
return new Uint8Array([1, 2, 3, 4]).subarray(1, 3);