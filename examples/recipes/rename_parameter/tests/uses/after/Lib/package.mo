package Lib
end Lib;
