// XDEP-006: a returned value with more elements than a message may have is too large an output
return new Array(1048576 + 10).fill(0);